// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/server/cpus.hpp"

#include <hwloc.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace raddle::proxy {
namespace {

/// Whether a launcher has bound the processes: those that may use every CPU say nothing of what they leave free.
bool bound(const NodeCpus& node) {
  return std::ranges::none_of(node.processes, [&](const cpu_set_t& cpus) {
    return std::ranges::all_of(node.all, [&](int cpu) { return CPU_ISSET(cpu, &cpus); });
  });
}

/// Those of these CPUs that the program leaves free.
std::vector<int> free_of(const NodeCpus& node, std::vector<int> cpus) {
  if (bound(node)) {
    std::erase_if(cpus, [&](int cpu) {
      return std::ranges::any_of(node.processes, [&](const cpu_set_t& its) { return CPU_ISSET(cpu, &its); });
    });
    return cpus;
  }
  // Each endpoint is a thread, and the first ones are theirs.
  const std::size_t threads = node.processes.size() * static_cast<std::size_t>(node.proxies_each);
  cpus.erase(cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(std::min(threads, cpus.size())));
  return cpus;
}

}  // namespace

std::optional<std::vector<int>> parse_cpus(const std::string& text) {
  std::vector<int> cpus;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&]() -> std::optional<int> {
    int value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || value >= CPU_SETSIZE) return std::nullopt;
    at = next;
    return value;
  };
  while (true) {
    const std::optional<int> first = number();
    if (!first) return std::nullopt;
    int last = *first;
    if (at != end && *at == '-') {
      ++at;
      const std::optional<int> other = number();
      if (!other || *other < *first) return std::nullopt;
      last = *other;
    }
    for (int cpu = *first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (at == end) return cpus;
    if (*at++ != ',') return std::nullopt;
  }
}

Placed place_proxies(const NodeCpus& node, const std::string& chosen) {
  const std::size_t needed = node.processes.size() * static_cast<std::size_t>(node.proxies_each);
  Placed placed;
  placed.crowded = 2 * needed > node.all.size();
  std::vector<int> free = free_of(node, node.cores);
  std::string what = "cores that the program leaves free";
  if (!chosen.empty()) {
    const auto parsed = parse_cpus(chosen);
    free = parsed.value_or(std::vector<int>{});
    what = "CPUs in RADDLE_PROXY_CPUS=" + chosen;
    const bool usable =
        parsed && std::ranges::all_of(free, [&](int cpu) { return std::ranges::count(node.all, cpu) > 0; });
    if (!usable) {
      placed.problem = "RADDLE_PROXY_CPUS=" + chosen + " is no list of CPUs that this job may use on its node";
      return placed;
    }
  }
  if (free.size() < needed) {
    placed.problem = "the " + std::to_string(needed) + " proxies of a node need a core each, and there are " +
                     std::to_string(free.size()) + " " + what +
                     "; start fewer, name others (RADDLE_PROXY_CPUS), or accept that they share cores with the "
                     "program (raddle exec --oversubscribe, RADDLE_PROXY_OVERSUBSCRIBE=1)";
    // There may be a CPU for each all the same, where cores have several.
    if (chosen.empty()) free = free_of(node, node.all);
    if (free.size() < needed) return placed;
  }
  placed.cpus.assign(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(needed));
  return placed;
}

NodeCpus look_at_node() {
  NodeCpus node;
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return node;
  if (hwloc_topology_load(topology) == 0) {
    hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);
    unsigned cpu = 0;
    hwloc_bitmap_foreach_begin(cpu, allowed) { node.all.push_back(static_cast<int>(cpu)); }
    hwloc_bitmap_foreach_end();
    hwloc_obj_t core = nullptr;
    while ((core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != nullptr) {
      hwloc_bitmap_t usable = hwloc_bitmap_dup(core->cpuset);
      hwloc_bitmap_and(usable, usable, allowed);
      if (const int first = hwloc_bitmap_first(usable); first >= 0) node.cores.push_back(first);
      hwloc_bitmap_free(usable);
    }
    if (node.cores.empty()) node.cores = node.all;
  }
  hwloc_topology_destroy(topology);
  return node;
}

}  // namespace raddle::proxy
