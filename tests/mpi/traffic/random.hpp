// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same on every machine, since all contexts derive one script from one seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace raddle::traffic {

/// One step of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
constexpr std::uint64_t scramble(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// One number made of several, which differs when one of them does.
constexpr std::uint64_t mix(std::initializer_list<std::uint64_t> parts) noexcept {
  std::uint64_t state = 0;
  for (const std::uint64_t part : parts) state = scramble(state ^ scramble(part));
  return state;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept { return scramble(state_++); }
  /// 0 to n - 1; n > 0.
  std::size_t below(std::size_t n) noexcept { return static_cast<std::size_t>(next() % n); }
  bool chance(unsigned percent) noexcept { return below(100) < percent; }
  template <typename T>
  const T& pick(const std::vector<T>& items) noexcept {
    return items[below(items.size())];
  }
  template <typename T>
  void shuffle(std::vector<T>& items) noexcept {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace raddle::traffic
