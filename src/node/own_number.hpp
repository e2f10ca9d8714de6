// SPDX-License-Identifier: BSD-3-Clause
// What tells this process from all others, where neither its pid nor its rank does: containers have the same pids, and
// processes of several worlds meet (MPI_Comm_spawn).
#pragma once

#include <cstdint>

namespace raddle::node {

/// A number that no other process has. It stays where it is: others may look for it in this process's memory.
const std::uint64_t& own_number();

}  // namespace raddle::node
