// SPDX-License-Identifier: BSD-3-Clause
// When the groups of a round became ready, and what follows for how to divide the next ones. Knows no MPI.
#pragma once

#include <algorithm>
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

  // By the thread that makes the first or the last partition of a group ready.
  void first(int group) { times_[static_cast<std::size_t>(group)].first = Clock::now(); }
  void last(int group) { times_[static_cast<std::size_t>(group)].last = Clock::now(); }

  /// How long after the last partition the last byte is out, if groups are divided into, or put together to, so many
  /// in this one's place; the time of each message is added, for it is the compute threads' that send.
  /// @param parts  of each group; below 1: groups are put together
  [[nodiscard]] double tail(std::size_t bytes, double parts, const Costs& costs) const;

 private:
  struct alignas(64) Times {
    Clock::time_point first;
    Clock::time_point last;
  };
  std::vector<Times> times_;
};

}  // namespace raddle::partitioned
