// SPDX-License-Identifier: BSD-3-Clause
// An MPI that gets the cell behind the one that is meant.
#include <mpi.h>

extern "C" int MPI_Get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int count_there,
                       MPI_Datatype type_there, MPI_Win window) {
  return PMPI_Get(origin, count, type, target, at < 8 ? at + 1 : at, count_there, type_there, window);
}
