// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication as calls: this MPI's own, or Raddle's.
#pragma once

#include <mpi.h>

namespace raddle::bench {

/// What differs between them. The requests are completed with the usual calls.
struct PartitionedCalls {
  int (*send_init)(const void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request*);
  int (*recv_init)(void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request*);
  int (*ready)(int, MPI_Request);
  int (*arrived)(MPI_Request, int, int*);
  int (*attach)(MPI_Comm);             ///< null: every communicator has them
  int (*messages)(MPI_Request, int*);  ///< null: it does not tell
};

/// This MPI's own, also where libraddle has put itself before them; null where it has none.
const PartitionedCalls* native_partitioned();

/// Those of libraddle, found by name where it is preloaded; null where it is not.
const PartitionedCalls* raddle_partitioned();

}  // namespace raddle::bench
