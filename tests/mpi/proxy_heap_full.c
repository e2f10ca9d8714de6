/* SPDX-License-Identifier: BSD-3-Clause */
/* One process has used up the memory that it shares with its proxies: no endpoints can be made, and all are told. */
#include <stdio.h>

#include "raddle/raddle.h"

int main(int argc, char** argv) {
  MPI_Comm endpoint;
  int rank, code, class = MPI_SUCCESS;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    for (size_t bytes = 1 << 20; bytes >= 16; bytes /= 2)
      while (Raddle_malloc(bytes) != NULL) continue;
  }
  code = MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &endpoint);
  MPI_Error_class(code, &class);
  if (class != MPI_ERR_NO_MEM) fprintf(stderr, "rank %d: an error of class %d\n", rank, class);
  MPI_Finalize();
  return class == MPI_ERR_NO_MEM ? 0 : 1;
}
