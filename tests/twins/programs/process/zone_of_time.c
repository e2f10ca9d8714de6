/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's zone of time is that of its results, whoever keeps them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
  int rank;
  char text[64];
  const time_t day = 86400;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  setenv("TZ", rank % 2 ? "AAA-5" : "BBB+3", 1);
  tzset();
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: %s", rank, ctime_r(&day, text));
  printf("%d: %s", rank, ctime(&day));
  MPI_Finalize();
  return 0;
}
