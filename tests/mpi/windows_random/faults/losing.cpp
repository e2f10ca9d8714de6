// SPDX-License-Identifier: BSD-3-Clause
// An MPI that forgets each fiftieth put.
#include <mpi.h>

#include <atomic>

extern "C" int MPI_Put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int count_there,
                       MPI_Datatype type_there, MPI_Win window) {
  static std::atomic<int> calls;
  return ++calls % 50 == 0 ? MPI_SUCCESS : PMPI_Put(origin, count, type, target, at, count_there, type_there, window);
}
