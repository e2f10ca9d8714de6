// SPDX-License-Identifier: BSD-3-Clause
// The work of fft_exchange, with MPI and without: a volume that goes from all contexts to all contexts, in rounds of a
// block from each to each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/registry.hpp"

namespace raddle::bench {

/// What one context has for another one, by their numbers.
struct ExchangeBlock {
  int from;
  int to;
};

inline int exchange_contexts(const Work& work) { return work.threads * static_cast<int>(work.whole("parties")); }

/// Rounds that make up the volume; one at least.
inline int exchange_rounds(const Work& work) {
  const std::int64_t contexts = exchange_contexts(work);
  return static_cast<int>(std::max<std::int64_t>(work.whole("volume") / (contexts * contexts * work.bytes), 1));
}

/// What tells the blocks of a sender apart, in all rounds.
inline int exchange_mark(const Work& work, int round, const ExchangeBlock& block) {
  return round * exchange_contexts(work) + block.to;
}

inline void check_exchange(const PointSet& set) {
  if (set.work.bytes < 1) throw PlanError("'bytes' must be at least 1");
}

/// A context moves its part of the volume, in megabytes.
inline Method exchange_method(MakeArm arm) {
  const auto share = [](const Work& work) {
    return 1e-6 * static_cast<double>(work.bytes) * exchange_contexts(work) * exchange_rounds(work);
  };
  return {.kind = Kind::rate, .work_per_operation = share, .arm = arm, .check = check_exchange};
}

}  // namespace raddle::bench
