// SPDX-License-Identifier: BSD-3-Clause
// CPUs that a thread may use; of those of a node: the bitwise or of all sets' bytes.
#pragma once

#include <sched.h>

namespace raddle::platform {

class CpuSet {
 public:
  /// The calling thread's.
  CpuSet() {
    CPU_ZERO(&cpus_);
    sched_getaffinity(0, sizeof cpus_, &cpus_);
  }

  [[nodiscard]] void* bytes() { return &cpus_; }
  static constexpr int size = sizeof(cpu_set_t);

  [[nodiscard]] int count() const { return CPU_COUNT(&cpus_); }

 private:
  cpu_set_t cpus_;
};

}  // namespace raddle::platform
