// SPDX-License-Identifier: BSD-3-Clause
// The communicators under test.
#pragma once

#include <mpi.h>

#include <vector>

#include "options.hpp"

namespace raddle::traffic {

/// One for each context of this process that has a rank: its endpoints, duplicates of the world for its threads (which
/// then only meet the same thread of other processes), or one duplicate.
std::vector<MPI_Comm> make_communicators(const Options& options);
void free_communicators(std::vector<MPI_Comm>& communicators);

}  // namespace raddle::traffic
