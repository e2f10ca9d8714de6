// SPDX-License-Identifier: BSD-3-Clause
// What calls return for null and inactive requests: empty statuses (MPI-4.1 3.7.3).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Request null = MPI_REQUEST_NULL, some[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, inactive;
  MPI_Status s, two[2];
  int n = -1, flag = -1, index = -1, out = -1, indices[2], v;
  for (int i = 0; i < 6; ++i) {
    memset(&s, 0x55, sizeof s);
    n = flag = index = -1;
    MPI_Recv_init(&v, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &inactive);
    if (i == 0) MPI_Wait(&null, &s);
    if (i == 1) MPI_Test(&null, &flag, &s);
    if (i == 2) MPI_Wait(&inactive, &s);
    if (i == 3) MPI_Request_get_status(inactive, &flag, &s);
    if (i == 4) MPI_Waitany(2, some, &index, &s);
    if (i == 5) MPI_Testany(1, &inactive, &index, &flag, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    int cancelled = -1;
    MPI_Test_cancelled(&s, &cancelled);
    say("%d: any %d %d count %d cancelled %d flag %d undefined %d", i, s.MPI_SOURCE == MPI_ANY_SOURCE,
        s.MPI_TAG == MPI_ANY_TAG, n, cancelled, flag, index == MPI_UNDEFINED);
    MPI_Request_free(&inactive);
  }
  memset(two, 0x55, sizeof two);
  MPI_Waitall(2, some, two);
  say("all: %d %d", two[1].MPI_SOURCE == MPI_ANY_SOURCE, two[1].MPI_TAG == MPI_ANY_TAG);
  MPI_Testsome(2, some, &out, indices, two);
  say("some: %d; rank %d of %d", out == MPI_UNDEFINED, rank, size);
  MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
  say("none: %d", flag);
  MPI_Finalize();
  return 0;
}
