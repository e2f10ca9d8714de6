// SPDX-License-Identifier: BSD-3-Clause
// A program that asks for no thread level: says whether it has been given MPI_THREAD_MULTIPLE nevertheless.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  printf("thread level: %s\n", level == MPI_THREAD_MULTIPLE ? "multiple" : "what the program asked for");
  MPI_Finalize();
  return 0;
}
