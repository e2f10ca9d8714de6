// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_split with keys, MPI_UNDEFINED and splits of splits, freed in another order (MPI-4.1 7.4.2).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm half, backward, some, twin;
  int sum = 0, relation;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backward);
  MPI_Comm_split(backward, rank == 1 ? MPI_UNDEFINED : 5, rank, &some);
  say("half %d/%d, backward %d/%d, null %d", rank_of(half), size_of(half), rank_of(backward), size_of(backward),
      some == MPI_COMM_NULL);
  MPI_Comm_compare(MPI_COMM_WORLD, backward, &relation);
  say("similar %d", relation == MPI_SIMILAR);
  MPI_Comm_dup(backward, &twin);
  MPI_Comm_compare(twin, backward, &relation);
  say("congruent %d", relation == MPI_CONGRUENT);
  MPI_Comm_free(&backward);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  say("sum %d of %d", sum, size);
  MPI_Comm_free(&half);
  if (some != MPI_COMM_NULL) {
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, some);
    say("some %d/%d sum %d", rank_of(some), size_of(some), sum);
    MPI_Comm_free(&some);
  }
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, twin);
  say("scan %d", sum);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
