// SPDX-License-Identifier: BSD-3-Clause
// The C library's rand, with a seed of the rank's own.
// except: */1xN, */2xN, */nodes: ranks that are threads share the C library's state (docs/use/endpoints.md)
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  srand(7);
  MPI_Barrier(MPI_COMM_WORLD);
  const int first = rand();
  int root = first;
  MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD);
  say("rank 0 has the same: %d", root == first);
  MPI_Finalize();
  return 0;
}
