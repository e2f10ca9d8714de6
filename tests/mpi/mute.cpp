// SPDX-License-Identifier: BSD-3-Clause
// An MPI in which rank 1 never sends a message of 1000 bytes: it stays in the call for ever.
#include <mpi.h>
#include <unistd.h>

extern "C" int MPI_Send(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (rank == 1 && count == 1000) pause();
  return PMPI_Send(buffer, count, type, peer, tag, comm);
}
