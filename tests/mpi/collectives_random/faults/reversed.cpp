// SPDX-License-Identifier: BSD-3-Clause
// An MPI that applies operators in the opposite order of the ranks, which only those notice that do not commute.
#include <mpi.h>

extern "C" int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return PMPI_Allreduce(from, to, count, type, op, comm);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  MPI_Comm reversed = MPI_COMM_NULL;
  PMPI_Comm_split(comm, 0, -rank, &reversed);
  const int result = PMPI_Allreduce(from, to, count, type, op, reversed);
  PMPI_Comm_free(&reversed);
  return result;
}
