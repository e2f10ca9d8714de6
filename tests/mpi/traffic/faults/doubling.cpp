// SPDX-License-Identifier: BSD-3-Clause
// An MPI that delivers a message twice.
#include <mpi.h>

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  static int calls = 0;
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  // The buffer outlives the second request: it is spoilt at worst, when the first is complete.
  if (++calls >= 10 && count * bytes < 100) {
    calls = 0;
    MPI_Request again = MPI_REQUEST_NULL;
    PMPI_Isend(buffer, count, type, dest, tag, comm, &again);
    PMPI_Request_free(&again);
  }
  return PMPI_Isend(buffer, count, type, dest, tag, comm, request);
}
