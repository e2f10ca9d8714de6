// SPDX-License-Identifier: BSD-3-Clause
// Handles for requests and probed messages of endpoints: the MPI's own, which mean nothing to it, so that what Raddle
// does not see of them does no harm. Made seldom, and used again.
#pragma once

#include <mpi.h>

namespace raddle::endpoints {

/// A persistent request that is never started.
MPI_Request make_request_handle();
void free_request_handle(MPI_Request handle);

/// A message without contents, from this process to itself, that was probed and is not received before
/// free_message_handles().
MPI_Message take_message_handle();
void give_back_message_handle(MPI_Message handle);
/// Before the MPI ends; all have been given back.
void free_message_handles();

}  // namespace raddle::endpoints
