// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/partitioned_names.hpp"

#include "raddle/raddle.h"

#if RADDLE_STANDARD_NAMES
#define NAMED(call) MPI_P##call
#else
#define NAMED(call) Raddle_P##call
#endif

namespace raddle::testing {

const bool standard_names = RADDLE_STANDARD_NAMES != 0;

int psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return NAMED(send_init)(buffer, partitions, count, type, dest, tag, comm, info, request);
}

int precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return NAMED(recv_init)(buffer, partitions, count, type, source, tag, comm, info, request);
}

int pready(int partition, MPI_Request request) { return NAMED(ready)(partition, request); }

int pready_range(int low, int high, MPI_Request request) { return NAMED(ready_range)(low, high, request); }

int pready_list(int length, const int partitions[], MPI_Request request) {
  return NAMED(ready_list)(length, const_cast<int*>(partitions), request);  // not const with Open MPI 5.0
}

int parrived(MPI_Request request, int partition, int* flag) { return NAMED(arrived)(request, partition, flag); }

int attach(MPI_Comm comm) {
#if RADDLE_STANDARD_NAMES
  return comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
#else
  return Raddle_Partitioned_attach(comm);
#endif
}

}  // namespace raddle::testing
