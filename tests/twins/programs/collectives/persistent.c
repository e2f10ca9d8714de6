// SPDX-License-Identifier: BSD-3-Clause
// Persistent collective operations are started again and again (MPI-4.1 6.13).
// ranks: 4
// except: intel/*: its own MPI_Allgather_init gives values of an earlier round
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = 0, sum = 0, b = 0, all[4];
  MPI_Request r[3];
  MPI_Allreduce_init(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
  MPI_Bcast_init(&b, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
  MPI_Allgather_init(&v, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
  for (int round = 0; round < 4; ++round) {
    v = rank + round;
    b = rank == 1 ? round + 50 : 0;
    MPI_Startall(3, r);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    say("%d: %d %d %d of %d", round, sum, b, all[3], size);
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&r[i]);
  MPI_Finalize();
  return 0;
}
