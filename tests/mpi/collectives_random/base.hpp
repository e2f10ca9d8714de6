// SPDX-License-Identifier: BSD-3-Clause
// The communicator that all others derive from.
#pragma once

#include <mpi.h>

#include <vector>

#include "options.hpp"

namespace raddle::collectives {

/// A handle for each rank of this process: its endpoints, or one of a duplicate of the world. Errors are returned.
std::vector<MPI_Comm> make_base(const Options& options);

}  // namespace raddle::collectives
