// SPDX-License-Identifier: BSD-3-Clause
// Collective calls of each communicator, in their order, and which communicators there are.
#pragma once

#include <cstdint>

namespace raddle::check {

/// MPI_COMM_WORLD, as it begins.
void first_communicator();

/// The order of calls on this one is not known any more: two at once, or one that has failed.
void out_of_order(std::uint64_t communicator);

/// At the end: what the processes have called on each communicator, and which were left.
void tell_order();
void tell_left_communicators();

}  // namespace raddle::check
