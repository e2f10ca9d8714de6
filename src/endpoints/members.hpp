// SPDX-License-Identifier: BSD-3-Clause
// Who the ranks of communicators and groups without endpoints are, so that they can be compared and combined with those
// that have some. A process stands for its first endpoint.
#pragma once

#include <mpi.h>

#include <vector>

#include "endpoints/member.hpp"

namespace raddle::endpoints {

/// In the order of ranks, `counts[process]` members for each process of `comm`.
Members members_of(MPI_Comm comm, const std::vector<int>& counts);

// The processes themselves. Those of MPI_COMM_WORLD have their numbers there, all others the next ones, in the order in
// which this process learns of them: so numbers mean nothing to other processes.
Members members_of(MPI_Comm comm);
Members members_of_group(MPI_Group group);

/// Before the MPI ends.
void forget_processes();

/// MPI_CONGRUENT, MPI_SIMILAR or MPI_UNEQUAL (MPI-4.1 section 7.4.1), for different communicators.
int compare(const Members& one, const Members& other);

}  // namespace raddle::endpoints
