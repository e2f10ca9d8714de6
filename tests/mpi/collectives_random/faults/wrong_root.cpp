// SPDX-License-Identifier: BSD-3-Clause
// An MPI that broadcasts the data of another rank now and then.
#include <mpi.h>

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static int calls = 0;
  int size = 0;
  PMPI_Comm_size(comm, &size);
  const bool wrong = comm != MPI_COMM_WORLD && ++calls % 2 == 0;
  return PMPI_Bcast(buffer, count, type, wrong ? (root + 1) % size : root, comm);
}
