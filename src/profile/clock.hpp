// SPDX-License-Identifier: BSD-3-Clause
// Points in time, as cheap as the machine has them: two of them are part of every call that is recorded.
#pragma once

#include <time.h>

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace raddle::profile {

/// Of a clock of the system; 0 where it cannot be read.
inline std::uint64_t nanoseconds(clockid_t clock = CLOCK_MONOTONIC) {
  timespec at{};
  if (clock_gettime(clock, &at) != 0) return 0;
  return static_cast<std::uint64_t>(at.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(at.tv_nsec);
}

/// Whether ticks are those of the CPU's counter: only where it runs at one rate, whatever the CPU does.
inline bool counter_is_steady() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8U)) != 0;
#else
  return false;
#endif
}

[[gnu::visibility("hidden")]] inline bool by_counter = false;  ///< set once, before anything is recorded

/// Now, in ticks: of the CPU's counter, else nanoseconds.
[[gnu::always_inline]] inline std::uint64_t now() {
#if defined(__x86_64__)
  if (by_counter) [[likely]]
    return __rdtsc();
#endif
  return nanoseconds();
}

/// The same moment on both clocks. Of several tries the shortest: the thread may be interrupted between the two.
struct Moment {
  std::uint64_t ticks;
  std::uint64_t nanoseconds;
};
inline Moment moment() {
  Moment best{};
  std::uint64_t shortest = ~0ULL;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t before = now();
    const std::uint64_t at = nanoseconds();
    const std::uint64_t took = now() - before;
    if (took < shortest) best = {before + took / 2, at};
    shortest = took < shortest ? took : shortest;
  }
  return best;
}

}  // namespace raddle::profile
