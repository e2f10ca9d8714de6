// SPDX-License-Identifier: BSD-3-Clause
// Communicators made of each other are freed in an order of each rank's own; those that are left work.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm comms[6];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  for (int i = 1; i < 6; ++i) {
    if (i % 2)
      MPI_Comm_split(comms[i - 1], 0, -rank, &comms[i]);
    else
      MPI_Comm_dup(comms[i - 1], &comms[i]);
  }
  for (int i = 0; i < 5; ++i) MPI_Comm_free(&comms[(i + rank) % 5]);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[5]);
  say("sum %d, rank %d", sum, rank_of(comms[5]));
  MPI_Comm_free(&comms[5]);
  MPI_Finalize();
  return 0;
}
