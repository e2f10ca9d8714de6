// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose compare-and-swap always swaps.
#include <mpi.h>

extern "C" int MPI_Compare_and_swap(const void* origin, const void*, void* result, MPI_Datatype type, int target,
                                    MPI_Aint at, MPI_Win window) {
  return PMPI_Fetch_and_op(origin, result, type, target, at, MPI_REPLACE, window);
}
