// SPDX-License-Identifier: BSD-3-Clause
// Which ordinary communicators have partitioned communication of Raddle's, and the requests of MPI_Psend_init and
// MPI_Precv_init (MPI-4.1 section 4.2). Functions here throw endpoints::Failure.
#pragma once

#include <mpi.h>

#include <atomic>

#include "endpoints/endpoint.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::partitioned {

/// Every communicator is to be attached when it has been made.
inline constinit std::atomic<bool> wanted{false};

/// There is an attached communicator.
inline constinit std::atomic<bool> any_attached{false};

/// The MPI has begun: with RADDLE_PARTITIONED=1 attaches its first communicators, and the others from now on.
void begin();
/// Before the MPI ends, collective: all that has been made ends.
void end();

/// One step for all attached communicators on which something is under way.
void progress_all();

/// Collective over `comm`. Nothing if it is attached.
void attach(MPI_Comm comm);
/// After `old` has been duplicated by a nonblocking call, collective over it as that one. @param made  its handle
void attach_later(MPI_Comm old, MPI_Comm made);
/// Before `comm` is freed. Nothing if it is not attached. What is left of it goes when all its processes have done the
/// same. @param may_wait  for that: they may not meet again
void detach(MPI_Comm comm, bool may_wait);
[[nodiscard]] bool attached(MPI_Comm comm);

// Inactive requests, on an attached communicator or an endpoint's. Counts are of elements in each partition.
endpoints::Request& make_send(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
                              MPI_Comm comm, MPI_Info info);
endpoints::Request& make_receive(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
                                 MPI_Comm comm, MPI_Info info);
endpoints::Request& make_send(endpoints::Endpoint& endpoint, const void* buffer, int partitions, MPI_Count count,
                              MPI_Datatype type, int to, int tag, MPI_Info info);
endpoints::Request& make_receive(endpoints::Endpoint& endpoint, void* buffer, int partitions, MPI_Count count,
                                 MPI_Datatype type, int source, int tag, MPI_Info info);

}  // namespace raddle::partitioned
