// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose nonblocking reduction is complete while its result lies somewhere else.
#include <mpi.h>

#include <array>
#include <cstddef>

extern "C" int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  static std::array<std::byte, 4096> elsewhere;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  const bool fits = from != MPI_IN_PLACE && comm != MPI_COMM_WORLD && count * extent <= 2048 && lower == 0;
  return PMPI_Iallreduce(from, fits ? elsewhere.data() + 1024 : to, count, type, op, comm, request);
}
