// SPDX-License-Identifier: BSD-3-Clause
// What a message of this MPI costs, as far as partitions are grouped by it.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "partitioned/pace.hpp"

namespace raddle::partitioned {

/// As measured, or what they mostly are where nobody has measured. Any thread.
[[nodiscard]] Costs message_costs();

/// From where on a message's bytes cost far more than the message does.
[[nodiscard]] std::size_t usual_message_bytes();

/// Collective over `comm`, of this alone: measures between its first two processes, unless that has been done before
/// with this MPI on this machine: then it is in the user's cache. Once for a process.
void measure_costs(MPI_Comm comm);

}  // namespace raddle::partitioned
