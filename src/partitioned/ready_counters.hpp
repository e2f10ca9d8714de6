// SPDX-License-Identifier: BSD-3-Clause
// Who makes the last partition of a group ready? One counter for each group, on a cache line of its own, which only
// grows: there is nothing to reset between rounds. Knows no MPI.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "partitioned/groups.hpp"

namespace raddle::partitioned {

/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicReadyCounters {
 public:
  explicit BasicReadyCounters(const Groups& groups)
      : groups_(groups), counters_(static_cast<std::size_t>(groups.count())) {}

  [[nodiscard]] const Groups& groups() const { return groups_; }

  /// Before the first call of arrive() in a round; one thread, which the others know to have been here.
  void next_round() { round_.store(round_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  /// A partition of `group` is ready; any threads at once, once for each partition in a round. When this has returned
  /// false the round may be over, and all of this gone.
  /// @returns whether it is the group's last one: what all others did before is visible then
  [[nodiscard]] bool arrive(int group) {
    // Counters and targets wrap alike.
    const std::uint32_t target =
        round_.load(std::memory_order_relaxed) * static_cast<std::uint32_t>(groups_.size(group));
    return counters_[static_cast<std::size_t>(group)].value.fetch_add(1, std::memory_order_acq_rel) + 1 == target;
  }

 private:
  struct alignas(64) Counter {
    Atomic<std::uint32_t> value{0};
  };

  Groups groups_;
  Atomic<std::uint32_t> round_{0};
  std::vector<Counter> counters_;
};

using ReadyCounters = BasicReadyCounters<>;

}  // namespace raddle::partitioned
