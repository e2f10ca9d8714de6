// SPDX-License-Identifier: BSD-3-Clause
#include "core/affinity.hpp"

#include <hwloc.h>

#include <algorithm>
#include <memory>

namespace raddle::bench {
namespace {

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

Bitmap bitmap_of(const std::vector<int>& cpus) {
  Bitmap bitmap(hwloc_bitmap_alloc());
  for (const int cpu : cpus) hwloc_bitmap_set(bitmap.get(), static_cast<unsigned>(cpu));
  return bitmap;
}

/// Loaded once: discovery reads /sys and takes milliseconds.
hwloc_topology_t topology() {
  static const hwloc_topology_t loaded = [] {
    hwloc_topology_t t = nullptr;
    hwloc_topology_init(&t);
    hwloc_topology_load(t);
    return t;
  }();
  return loaded;
}

}  // namespace

std::vector<int> allowed_cpus() {
  const Bitmap bitmap(hwloc_bitmap_alloc());
  std::vector<int> cpus;
  if (hwloc_get_cpubind(topology(), bitmap.get(), HWLOC_CPUBIND_THREAD) != 0) return cpus;
  for (int cpu = hwloc_bitmap_first(bitmap.get()); cpu >= 0; cpu = hwloc_bitmap_next(bitmap.get(), cpu)) {
    cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<int> assign_cpus(const std::vector<int>& cpus, int contexts, Pin pin) {
  std::vector<int> assigned;
  if (pin == Pin::none || cpus.empty()) return assigned;
  const int usable = static_cast<int>(cpus.size());
  std::vector<int> order = cpus;
  if (pin == Pin::spread && contexts < usable) {
    // hwloc restricts a copy of the machine to our CPUs and cuts it into equal parts, one a context.
    hwloc_topology_t part = nullptr;
    hwloc_topology_dup(&part, topology());
    hwloc_topology_restrict(part, bitmap_of(cpus).get(), 0);
    std::vector<hwloc_cpuset_t> sets(static_cast<std::size_t>(contexts));
    hwloc_obj_t root = hwloc_get_root_obj(part);
    hwloc_distrib(part, &root, 1, sets.data(), static_cast<unsigned>(contexts), INT_MAX, 0);
    order.clear();
    for (hwloc_cpuset_t set : sets) {
      order.push_back(hwloc_bitmap_first(set));
      hwloc_bitmap_free(set);
    }
    hwloc_topology_destroy(part);
  }
  for (int context = 0; context < contexts; ++context) {
    assigned.push_back(order[static_cast<std::size_t>(context) % order.size()]);
  }
  return assigned;
}

bool pin_to(int cpu) { return hwloc_set_cpubind(topology(), bitmap_of({cpu}).get(), HWLOC_CPUBIND_THREAD) == 0; }

void allow(const std::vector<int>& cpus) { hwloc_set_cpubind(topology(), bitmap_of(cpus).get(), HWLOC_CPUBIND_THREAD); }

}  // namespace raddle::bench
