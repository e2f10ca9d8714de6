/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls what its MPI library does not have. */
#include <mpi.h>

int main(void) {
  int rank = 0;
  return MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}
