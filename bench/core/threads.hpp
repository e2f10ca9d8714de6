// SPDX-License-Identifier: BSD-3-Clause
// The threads of a process: an OpenMP team, as in the programs whose communication is measured.
#pragma once

#include <functional>

namespace raddle::bench {

/// Runs body(0..threads-1) at the same time, body(0) on the calling thread. @throws std::runtime_error if the runtime
/// gives fewer
void in_parallel(int threads, const std::function<void(int thread)>& body);

}  // namespace raddle::bench
