// SPDX-License-Identifier: BSD-3-Clause
// Two endpoints of each process and a collective, in a program that asks for no thread level: says how it went.
#include <mpi.h>
#include <stdio.h>

#include "raddle/raddle.h"

int main(int argc, char** argv) {
  MPI_Comm endpoints[2];
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, endpoints);
  MPI_Comm_set_errhandler(endpoints[0], MPI_ERRORS_RETURN);
  const int code = MPI_Barrier(endpoints[0]);
  MPI_Error_string(code, text, &length);
  if (rank == 0) printf("barrier: %s\n", text);
  MPI_Comm_free(&endpoints[0]);
  MPI_Comm_free(&endpoints[1]);
  MPI_Finalize();
  return code == MPI_SUCCESS;
}
