// SPDX-License-Identifier: BSD-3-Clause
// Communicators for processes of an endpoints communicator, made beside its collectives: those are in an order of their
// own, so nothing that is collective over its processes may be called by the way.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace raddle::endpoints {

class Communicator;

/// Collective: a name that these processes have in common for the communicator, and that no other one has, earlier or
/// later; 0 for MPI_COMM_NULL.
std::uint64_t name_of(MPI_Comm processes);

/// Collective over these processes of the parent's: a communicator for them, which has the order of the list.
/// @param ticket the same for all, and for no other call that is under way
/// @returns MPI_COMM_NULL for a process alone @throws Failure the MPI has no communicators left
MPI_Comm processes_of(const Communicator& parent, const std::vector<int>& processes, int ticket);
/// The same for all of them.
MPI_Comm processes_of(const Communicator& parent, int ticket);

}  // namespace raddle::endpoints
