// SPDX-License-Identifier: BSD-3-Clause
// Blocks flow through the ranks, each adds its part.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int block[100] = {0};
  long sum = 0;
  for (int i = 0; i < 50; ++i) {
    if (rank > 0) MPI_Recv(block, 100, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 100; ++k) block[k] = (rank > 0 ? block[k] : i) + rank * k;
    if (rank < size - 1) MPI_Send(block, 100, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
    sum += block[99];
  }
  say("%ld", sum);
  MPI_Finalize();
  return 0;
}
