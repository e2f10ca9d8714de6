// SPDX-License-Identifier: BSD-3-Clause
// An MPI that loses a message.
#include <mpi.h>

extern "C" int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                          MPI_Request* request) {
  static int calls = 0;
  return PMPI_Issend(buffer, count, type, ++calls % 10 == 0 ? MPI_PROC_NULL : dest, tag, comm, request);
}
