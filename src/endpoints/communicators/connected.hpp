// SPDX-License-Identifier: BSD-3-Clause
// Communicators whose two groups are of jobs that had nothing in common: what the MPI has connected (MPI-4.1
// chapter 11), and which of its processes has which ranks.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "endpoints/communicators/communicator.hpp"

namespace raddle::endpoints {

/// A rank of this process in its group.
struct Seat {
  int rank;
  int index;  ///< Member::index
};

/// Collective over both groups of an intercommunicator of processes, of which each has ranks, without an order among
/// other calls there: nothing else of the program may use it.
/// @param between  freed by this
/// @param first    whether the group of this process is the first one: not so in the other group
/// @param own      the ranks of this process, in their order; at least one
/// @returns a communicator that descends from no other one
std::unique_ptr<Communicator> connected(MPI_Comm between, bool first, const std::vector<Seat>& own);

}  // namespace raddle::endpoints
