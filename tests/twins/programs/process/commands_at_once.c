/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands of popen() that read until their pipe's end do not keep each other waiting. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
  int rank;
  char text[64];
  time_t day = 86400;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE* const first = popen("cat", "w");
  MPI_Barrier(MPI_COMM_WORLD);
  FILE* const second = popen("cat", "w");
  MPI_Barrier(MPI_COMM_WORLD);
  fprintf(first, "%d: first\n", rank);
  fprintf(second, "%d: second\n", rank);
  printf("%d: %d %d\n", rank, pclose(first), pclose(second));
  setenv("TZ", rank % 2 ? "AAA-5" : "BBB+3", 1);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: %s", rank, ctime_r(&day, text));
  MPI_Finalize();
  return 0;
}
