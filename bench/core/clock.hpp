// SPDX-License-Identifier: BSD-3-Clause
// The one clock of all measurements: CLOCK_MONOTONIC, common to every process of a machine.
#pragma once

#include <cstdint>
#include <ctime>

namespace raddle::bench {

using Nanoseconds = std::int64_t;

inline Nanoseconds now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<Nanoseconds>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// Sleeps until the moment has come; returns at once if it has. Who waits so takes no CPU from those who work.
void sleep_until(Nanoseconds moment);

/// The timed part of one sample on one thread; a thread that does not time returns the empty span.
struct Span {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  [[nodiscard]] bool timed() const noexcept { return end != 0; }
};

struct ClockCosts {
  Nanoseconds resolution;  ///< smallest step seen between two different readings
  double cost;             ///< nanoseconds one reading takes, median of many
};

/// Measures the clock itself; samples must be long against both figures.
ClockCosts measure_clock();

}  // namespace raddle::bench
