// SPDX-License-Identifier: BSD-3-Clause
// Lines of all ranks, by printf without a flush: each is whole, none is lost.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 0; i < 30; ++i) printf("rank %d line %d ................................\n", rank, i);
  MPI_Finalize();
  return 0;
}
