// SPDX-License-Identifier: BSD-3-Clause
// An MPI that flips one bit of one rank's result of a reduction.
#include <mpi.h>

#include <cstddef>

extern "C" int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank = 0;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Type_get_true_extent(type, &lower, &extent);
  const int result = PMPI_Allreduce(from, to, count, type, op, comm);
  if (comm != MPI_COMM_WORLD && rank == 1 && count > 0 && op != MPI_LAND && op != MPI_LOR && op != MPI_LXOR)
    static_cast<std::byte*>(to)[lower] ^= std::byte{4};
  return result;
}
