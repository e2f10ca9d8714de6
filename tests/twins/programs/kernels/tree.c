// SPDX-License-Identifier: BSD-3-Clause
// A reduction by hand over a binary tree, and back down it.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int sum = rank + 1, part;
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) == step) MPI_Send(&sum, 1, MPI_INT, rank - step, step, MPI_COMM_WORLD);
    if (rank % (2 * step) == 0) {
      MPI_Recv(&part, 1, MPI_INT, rank + step, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += part;
    }
  }
  for (int step = size / 2; step > 0; step /= 2) {
    if (rank % (2 * step) == 0) MPI_Send(&sum, 1, MPI_INT, rank + step, 100, MPI_COMM_WORLD);
    if (rank % (2 * step) == step) MPI_Recv(&sum, 1, MPI_INT, rank - step, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  say("%d", sum);
  MPI_Finalize();
  return 0;
}
