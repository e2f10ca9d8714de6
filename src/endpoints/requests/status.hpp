// SPDX-License-Identifier: BSD-3-Clause
// Statuses of messages that the MPI knows nothing of, such that its own MPI_Get_count & co. read them.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace raddle::endpoints {

/// What MPI calls return for a message that was received or sent. MPI_STATUS_IGNORE is accepted. MPI_ERROR is left as
/// it is, as calls that return one status do (MPI-4.1, section 3.2.5).
void write_status(MPI_Status* status, int source, int tag, std::size_t bytes, bool cancelled);

/// What they return for a null or inactive request (MPI-4.1, section 3.7.3).
void write_empty_status(MPI_Status* status);

}  // namespace raddle::endpoints
