// SPDX-License-Identifier: BSD-3-Clause
// Groups of one rank: rank 0 by its MPI_COMM_SELF with each other rank in turn, and several at a time by tags
// (MPI-4.1 7.6.2).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int other = rank == 0 ? 1 : rank; other < (rank == 0 ? size : rank + 1); ++other) {
    MPI_Comm inter, merged;
    int got = -1;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, rank == 0 ? other : 0, other, &inter);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(inter, rank == 0, &merged);
    say("with %d: rank %d, merged rank %d of %d", got, rank_of(inter), rank_of(merged), size_of(merged));
    MPI_Comm_free(&inter);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
  }
  MPI_Finalize();
  return 0;
}
