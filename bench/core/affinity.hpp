// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs a launch may use, which context gets which, and what the kernel really granted.
#pragma once

#include <string>
#include <vector>

#include "core/plan.hpp"

namespace raddle::bench {

/// CPUs (operating system numbers, ascending) the calling thread may run on.
std::vector<int> allowed_cpus();

/// One CPU for each of `contexts` contexts out of `cpus`: neighbours for `compact`, far apart in the
/// machine's topology for `spread`. Empty for Pin::none. Wraps round when contexts outnumber CPUs.
std::vector<int> assign_cpus(const std::vector<int>& cpus, int contexts, Pin pin);

/// Binds the calling thread to one CPU; false if the kernel refuses.
bool pin_to(int cpu);

/// Lets the calling thread run on all of `cpus` again.
void allow(const std::vector<int>& cpus);

}  // namespace raddle::bench
