/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank does to the text that getenv() gives it is not seen by others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int parts = 0;
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == rank % 2)
      for (char* part = strtok(getenv("PATH"), ":"); part != NULL; part = strtok(NULL, ":")) ++parts;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("%d: %s\n", rank, parts > 1 ? "several" : "one");
  MPI_Finalize();
  return 0;
}
