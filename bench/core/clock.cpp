// SPDX-License-Identifier: BSD-3-Clause
#include "core/clock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

namespace raddle::bench {

void sleep_until(Nanoseconds moment) {
  const timespec until{.tv_sec = moment / 1'000'000'000, .tv_nsec = moment % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

ClockCosts measure_clock() {
  constexpr int rounds = 21;
  constexpr int readings = 200;
  std::array<double, rounds> costs{};
  Nanoseconds resolution = std::numeric_limits<Nanoseconds>::max();
  for (double& cost : costs) {
    const Nanoseconds begin = now();
    Nanoseconds previous = begin;
    for (int i = 0; i < readings; ++i) {
      const Nanoseconds t = now();
      if (t != previous) resolution = std::min(resolution, t - previous);
      previous = t;
    }
    cost = static_cast<double>(previous - begin) / readings;
  }
  std::nth_element(costs.begin(), costs.begin() + rounds / 2, costs.end());
  return {resolution, costs[rounds / 2]};
}

}  // namespace raddle::bench
