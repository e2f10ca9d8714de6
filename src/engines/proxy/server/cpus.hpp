// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs the proxies of a node get: those that the program leaves free.
#pragma once

#include <sched.h>

#include <optional>
#include <string>
#include <vector>

namespace raddle::proxy {

/// What is known of a node before its proxies are placed.
struct NodeCpus {
  std::vector<int> cores;            ///< a CPU of each core that may be used, in the order of the machine
  std::vector<int> all;              ///< all CPUs that may be used
  std::vector<cpu_set_t> processes;  ///< CPUs that each of the program's processes may use
  int proxies_each = 0;              ///< of each process
};

struct Placed {
  std::vector<int> cpus;  ///< by proxy of the node, process by process; empty: they stay where the launcher put them
  bool crowded = false;   ///< busy contexts exceed the CPUs
  std::string problem;    ///< why not each has a core, which is no matter if cores may be shared
};

/// @param chosen  RADDLE_PROXY_CPUS
Placed place_proxies(const NodeCpus& node, const std::string& chosen);

/// CPUs written as 0-3,8; nothing if it is not such a list.
std::optional<std::vector<int>> parse_cpus(const std::string& text);

/// The CPUs of this node that this process could use, by hwloc.
NodeCpus look_at_node();

}  // namespace raddle::proxy
