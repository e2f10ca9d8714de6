// SPDX-License-Identifier: BSD-3-Clause
// The partitioned calls under the name that a test program is built for.
#pragma once

#include <mpi.h>

namespace raddle::testing {

/// Whether they are MPI_Psend_init and so on, which are Raddle's with RADDLE_PARTITIONED=1, or Raddle_Psend_init and so
/// on.
extern const bool standard_names;

int psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request);
int precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request);
int pready(int partition, MPI_Request request);
int pready_range(int low, int high, MPI_Request request);
int pready_list(int length, const int partitions[], MPI_Request request);
int parrived(MPI_Request request, int partition, int* flag);

/// What an ordinary communicator needs before they work on it, and endpoints do not mind.
int attach(MPI_Comm comm);

}  // namespace raddle::testing
