// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose barrier lets everybody through at once.
#include <mpi.h>

extern "C" int MPI_Barrier(MPI_Comm comm) { return comm == MPI_COMM_WORLD ? PMPI_Barrier(comm) : MPI_SUCCESS; }
