// SPDX-License-Identifier: BSD-3-Clause
// Where threads may run, as the launcher, the OpenMP runtime and the user's settings really left them.
#pragma once

#include <vector>

namespace raddle::inspect {

/// CPUs (operating system numbers, ascending) that the calling thread may run on.
std::vector<int> my_cpus();

/// The same of each of `threads` OpenMP threads.
std::vector<std::vector<int>> cpus_of_threads(int threads);

}  // namespace raddle::inspect
