// SPDX-License-Identifier: BSD-3-Clause
// Which communicator a handle stands for, and a key for it that is the same in all its processes.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "profile/local.hpp"

namespace raddle::profile {

/// Those of the process as it begins, if it has a world.
void first_communicators(bool world);

/// The number of the communicator behind a handle, plus 1; 0: none, or there is no more room. Slow: a lock.
std::uint32_t number_of(Local& local, std::uint64_t handle);

/// The program is giving a handle back. Before and after: another thread may look at it meanwhile.
void forget_communicator(std::uint64_t handle);
void forget_types();

/// A communicator has got another name.
void rename_communicator(Local& local, std::uint64_t handle, const char* name);

/// How a call makes communicators.
enum class Made {
  whole,     ///< a communicator of those processes that call
  later,     ///< one that is not to be used before a request has completed
  endpoint,  ///< a handle of an endpoint, one of several for the same communicator
  unknown,   ///< nobody can tell which it is in other processes
};

/// What comes out of a call that makes communicators of `parent`. Of calls of one kind on the same parent with the same
/// outcome the order counts, which is that of all its processes.
void made_communicator(std::uint32_t parent, std::uint32_t function, std::int64_t colour, MPI_Comm communicator,
                       Made how);

}  // namespace raddle::profile
