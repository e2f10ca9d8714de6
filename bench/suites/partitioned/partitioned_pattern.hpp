// SPDX-License-Identifier: BSD-3-Clause
// When partitions become ready: their order, and how the computation before each of them is drawn out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/clock.hpp"

namespace raddle::bench {

/// The partitions by the order's name. `stride`: every 2^k-th one, from each of the first 2^k on.
inline std::vector<int> partition_order(const std::string& name, int partitions, int stride) {
  std::vector<int> order(static_cast<std::size_t>(partitions));
  std::iota(order.begin(), order.end(), 0);
  if (name == "inverse") std::ranges::reverse(order);
  if (name == "random") std::ranges::shuffle(order, std::mt19937_64(2024));  // the same in all mechanisms and processes
  if (name == "stride") {
    std::ranges::stable_sort(order, {}, [&](int partition) { return partition % stride; });
  }
  return order;
}

/// The part of `whole` that thread `thread` of `threads` does: a contiguous one, as a static schedule of OpenMP deals.
template <typename T>
std::span<const T> part_of(std::span<const T> whole, int thread, int threads) {
  const auto begin = whole.size() * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
  const auto end = whole.size() * (static_cast<std::size_t>(thread) + 1) / static_cast<std::size_t>(threads);
  return whole.subspan(begin, end - begin);
}

/// The order in which partitions come from several threads that are equally fast.
inline std::vector<int> merged(std::span<const int> order, int threads) {
  std::vector<int> result;
  for (std::size_t i = 0; result.size() < order.size(); ++i) {
    for (int thread = 0; thread < threads; ++thread) {
      const auto part = part_of(order, thread, threads);
      if (i < part.size()) result.push_back(part[i]);
    }
  }
  return result;
}

/// How long after the start each of a thread's partitions is computed, in a round that takes `spread` without noise.
/// `uniform` makes each one up to half as long again or half as short, `gaussian` varies it by a quarter, `single`
/// holds up the last thread for half of the spread.
class Production {
 public:
  Production(std::string noise, Nanoseconds spread, int thread, int threads)
      : noise_(std::move(noise)),
        spread_(static_cast<double>(spread)),
        late_(noise_ == "single" && thread == threads - 1),
        random_(static_cast<std::uint64_t>(thread)) {}

  std::vector<Nanoseconds> round(std::size_t partitions) {
    std::vector<Nanoseconds> due(partitions);
    const double step = spread_ / static_cast<double>(std::max<std::size_t>(partitions, 1));
    double at = late_ ? spread_ / 2 : 0;
    for (Nanoseconds& each : due) {
      at += step * factor();
      each = static_cast<Nanoseconds>(at);
    }
    return due;
  }

 private:
  double factor() {
    if (noise_ == "uniform") return std::uniform_real_distribution<>(0.5, 1.5)(random_);
    if (noise_ == "gaussian") return std::max(0.0, std::normal_distribution<>(1.0, 0.25)(random_));
    return 1.0;
  }

  const std::string noise_;
  const double spread_;
  const bool late_;
  std::mt19937_64 random_;
};

}  // namespace raddle::bench
