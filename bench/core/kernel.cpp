// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernel.hpp"

#include <algorithm>
#include <limits>

namespace raddle::bench {
namespace {

constexpr std::size_t cached = 4096;                     // 16 KiB
constexpr std::size_t uncached = std::size_t{1} << 24U;  // 64 MiB, in stretches of 256 KiB

}  // namespace

Kernel::Kernel(const std::string& where)
    : data_(where == "memory" ? uncached : cached, 1),
      stretch_(where == "memory" ? uncached / 256 : cached),
      passes_(where == "memory" ? 1 : 32) {}

void Kernel::run(std::int64_t units) noexcept {
  for (std::int64_t unit = 0; unit < units; ++unit) {
    std::uint32_t* const begin = data_.data() + at_;
    for (std::uint32_t pass = 0; pass < passes_; ++pass) {
      for (std::size_t i = 0; i < stretch_; ++i) begin[i] = begin[i] * 1664525U + pass;
      // The next pass reads what this one wrote: nothing may be left out or joined.
      asm volatile("" : : "r"(begin) : "memory");
    }
    at_ = (at_ + stretch_) % data_.size();
  }
}

std::int64_t Kernel::units_for(Nanoseconds duration) {
  constexpr int tries = 5;
  constexpr std::int64_t block = 4;
  Nanoseconds best = std::numeric_limits<Nanoseconds>::max();
  for (int i = 0; i < tries; ++i) {
    const Nanoseconds begin = now();
    run(block);
    best = std::min(best, now() - begin);
  }
  return std::max<std::int64_t>(1, duration * block / std::max<Nanoseconds>(best, 1));
}

}  // namespace raddle::bench
