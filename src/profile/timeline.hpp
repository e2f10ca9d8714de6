// SPDX-License-Identifier: BSD-3-Clause
// How much of something there was over time, in a fixed number of bins: when time goes past the last one, two
// neighbours become one. One thread writes.
#pragma once

#include <cstdint>

namespace raddle::profile {

inline constexpr std::uint32_t bins = 256;
inline constexpr std::uint32_t first_shift = 20;  ///< a bin has 2^shift ticks, at first: a third of a millisecond

template <int lines>
struct Timeline {
  std::uint64_t origin;  ///< ticks where the first bin begins
  std::uint32_t shift;
  std::uint32_t reserved;
  std::uint64_t bin[lines][bins];

  void begin(std::uint64_t at) {
    origin = at;
    shift = first_shift;
  }

  /// Adds `weight` for each tick from `from` to `to`.
  void add(int line, std::uint64_t from, std::uint64_t to, std::uint64_t weight = 1) {
    if (from < origin) from = origin;
    if (to <= from) return;
    while ((to - origin) >> shift >= bins) widen();
    std::uint64_t at = (from - origin) >> shift;
    const std::uint64_t last = (to - origin) >> shift;
    for (; at < last; ++at) {
      const std::uint64_t next = origin + ((at + 1) << shift);
      bin[line][at] += (next - from) * weight;
      from = next;
    }
    bin[line][at] += (to - from) * weight;
  }

 private:
  [[gnu::noinline]] void widen() {
    for (auto& line : bin) {
      for (std::uint32_t i = 0; i < bins / 2; ++i) line[i] = line[2 * i] + line[2 * i + 1];
      for (std::uint32_t i = bins / 2; i < bins; ++i) line[i] = 0;
    }
    ++shift;
  }
};

}  // namespace raddle::profile
