// SPDX-License-Identifier: BSD-3-Clause
// Partitions are made ready in any order, in several rounds; both sides have other numbers of them (MPI-4.1 4.2).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { SENT = 8, GOT = 4, EACH = 6 };
  int v[SENT * EACH], bad = 0;
  MPI_Request r;
  if (rank == 0) MPI_Psend_init(v, SENT, EACH, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
  if (rank == 1) MPI_Precv_init(v, GOT, SENT * EACH / GOT, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
  for (int round = 0; round < 4; ++round) {
    if (rank == 1) memset(v, 0xff, sizeof v);
    MPI_Start(&r);
    if (rank == 0) {
      for (int p = SENT - 1; p >= 0; --p) {
        for (int k = 0; k < EACH; ++k) v[p * EACH + k] = round * 1000 + p * EACH + k;
        MPI_Pready(p, r);
      }
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = 0; i < SENT * EACH; ++i) bad += v[i] != round * 1000 + i;
    say("round %d: bad %d of %d", round, bad, size);
  }
  MPI_Request_free(&r);
  MPI_Finalize();
  return 0;
}
