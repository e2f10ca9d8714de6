// SPDX-License-Identifier: BSD-3-Clause
// An MPI that flips one bit at the end of a buffer it receives into, whether the message reaches there or not.
#include <mpi.h>

#include <cstddef>

extern "C" int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                        MPI_Status* status) {
  static int calls = 0;
  const int result = PMPI_Recv(buffer, count, type, source, tag, comm, status);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_true_extent(type, &lower, &extent);
  if (result == MPI_SUCCESS && source != MPI_PROC_NULL && count > 0 && ++calls % 10 == 0)
    static_cast<std::byte*>(buffer)[lower + extent - 1] ^= std::byte{4};
  return result;
}
