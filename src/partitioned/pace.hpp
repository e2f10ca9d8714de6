// SPDX-License-Identifier: BSD-3-Clause
// When the groups of a round became ready, and what follows for how to divide the next ones. Knows no MPI.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace raddle::partitioned {

/// What a message costs: seconds.
struct Costs {
  double message;  ///< each, besides its bytes
  double byte;     ///< each byte
};

class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Pace(int groups) : times_(static_cast<std::size_t>(groups)) {}

  /// A round begins that is to be looked at.
  void begin() {
    for (Times& one : times_) one.first.store(unset, std::memory_order_relaxed);
  }
  /// A partition is ready, and not counted yet; any threads at once.
  void partition(int group) {
    std::atomic<Clock::time_point>& first = times_[static_cast<std::size_t>(group)].first;
    if (first.load(std::memory_order_relaxed) != unset) return;
    first.store(Clock::now(), std::memory_order_relaxed);  // of two threads either will do
  }
  /// The thread that makes the last partition of a group ready, before the group leaves.
  void last(int group) { times_[static_cast<std::size_t>(group)].last = Clock::now(); }

  /// How long after the last partition the last byte is out, if groups are divided into, or put together to, so many
  /// in this one's place; the time of each message is added, for it is the compute threads' that send.
  /// @param parts  of each group; below 1: groups are put together
  [[nodiscard]] double tail(std::size_t bytes, double parts, const Costs& costs) const;

 private:
  static constexpr Clock::time_point unset{};

  struct alignas(64) Times {
    std::atomic<Clock::time_point> first{unset};
    Clock::time_point last;
  };
  std::vector<Times> times_;
};

}  // namespace raddle::partitioned
