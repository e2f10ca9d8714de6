// SPDX-License-Identifier: BSD-3-Clause
// An MPI that accumulates in two steps, which those of others come between.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

extern "C" int MPI_Accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at,
                              int count_there, MPI_Datatype type_there, MPI_Op op, MPI_Win window) {
  if (op != MPI_SUM || type != MPI_INT32_T || type_there != MPI_INT32_T || at < 0 || at > 1000)
    return PMPI_Accumulate(origin, count, type, target, at, count_there, type_there, op, window);
  std::vector<int> was(static_cast<std::size_t>(count));
  std::vector<int> now(static_cast<const int*>(origin), static_cast<const int*>(origin) + count);
  int code = PMPI_Get_accumulate(nullptr, 0, MPI_INT32_T, was.data(), count, type, target, at, count_there, type_there,
                                 MPI_NO_OP, window);
  usleep(2000);
  std::transform(was.begin(), was.end(), now.begin(), now.begin(), [](int a, int b) { return a + b; });
  if (code == MPI_SUCCESS)
    code = PMPI_Accumulate(now.data(), count, type, target, at, count_there, type_there, MPI_REPLACE, window);
  return code;
}
