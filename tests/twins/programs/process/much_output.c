// SPDX-License-Identifier: BSD-3-Clause
// Lines of all ranks, by printf alone: what MPI_Finalize and the end leave in the buffer is written, each line whole.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  for (int i = 0; i < 30; ++i) printf("rank %d line %d ................................\n", rank, i);
  MPI_Finalize();
  return 0;
}
