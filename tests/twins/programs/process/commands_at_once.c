/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands of popen() that read until their pipe's end do not keep each other waiting. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE* const first = popen("cat", "w");
  MPI_Barrier(MPI_COMM_WORLD);
  FILE* const second = popen("cat", "w");
  MPI_Barrier(MPI_COMM_WORLD);
  fprintf(first, "%d: first\n", rank);
  fprintf(second, "%d: second\n", rank);
  const int of_first = pclose(first);
  printf("%d: %d %d\n", rank, of_first, pclose(second));
  MPI_Finalize();
  return 0;
}
