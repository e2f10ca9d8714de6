// SPDX-License-Identifier: BSD-3-Clause
// What a thread spends its time on.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace dslash {

enum Phase { pack, post, interior, wait, boundary };
inline constexpr std::size_t phases = 5;
inline constexpr std::array<const char*, phases> phase_names{"pack", "post", "interior", "wait", "boundary"};

/// Seconds in each phase.
using Times = std::array<double, phases>;

/// Posting messages and waiting for them, and for threads that do; all else is computation.
constexpr double communication(const Times& times) { return times[post] + times[wait]; }
constexpr double total(const Times& times) {
  double sum = 0;
  for (const double each : times) sum += each;
  return sum;
}

/// Charges what passes to one phase after the other.
class Stopwatch {
 public:
  explicit Stopwatch(Times& times) : times_(times), last_(Clock::now()) {}
  void charge(Phase phase) {
    const Clock::time_point now = Clock::now();
    times_[phase] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Times& times_;
  Clock::time_point last_;
};

}  // namespace dslash
