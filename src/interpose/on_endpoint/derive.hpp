// SPDX-License-Identifier: BSD-3-Clause
// What all functions do that make communicators of an endpoints communicator.
#pragma once

#include <mpi.h>

#include "endpoints/communicators/derive.hpp"
#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::Newcomer;

/// Whether a rank's arguments are good: an MPI error code.
void say(Newcomer& newcomer, int code);

/// A rank that becomes a member of a communicator needs a handle there.
void bring_handle(Newcomer& newcomer, const Endpoint& endpoint);
/// The same, with hints: MPI_Comm_get_info tells those that the MPI knows (MPI-4.1 section 7.4.4).
void bring_handle(Newcomer& newcomer, const Endpoint& endpoint, MPI_Info hints);

/// Blocks in the MPI function `call`. @returns an MPI error code, raised
int derive(Endpoint& endpoint, const char* call, const endpoints::CallKey& key, Newcomer& newcomer, MPI_Comm* made);
/// The same by all ranks of the communicator.
int derive(Endpoint& endpoint, const char* call, Newcomer& newcomer, MPI_Comm* made);

}  // namespace raddle::interpose::on_endpoint
