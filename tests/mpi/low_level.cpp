// SPDX-License-Identifier: BSD-3-Clause
// An MPI that was built without support for several threads in MPI.
#include <mpi.h>

extern "C" int MPI_Init_thread(int* argc, char*** argv, int /*required*/, int* provided) {
  return PMPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, provided);
}
