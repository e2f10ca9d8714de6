// SPDX-License-Identifier: BSD-3-Clause
// Threads that come and go.
#pragma once

#include <cstdint>

#include "profile/local.hpp"

namespace raddle::profile {

void begin_threads();

/// Of an area that is no thread's, where what a call costs is measured.
Local& nobodys(ThreadArea& area);

/// What the thread has used so far, as the system counts it.
void keep_usage(Local& local);

extern std::uint64_t reading_costs;  ///< nanoseconds of CPU time between two readings of it with nothing between

}  // namespace raddle::profile
