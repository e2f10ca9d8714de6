// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks of partitioned communication read out of a plan's parameters.
#pragma once

#include <string>

#include "core/clock.hpp"
#include "mpi/benchmark.hpp"

namespace raddle::bench {

inline int partitions_of(const Work& work) { return static_cast<int>(work.bytes / work.whole("partition_bytes")); }
inline bool has(const Work& work, const std::string& name) { return work.params.contains(name); }
inline bool both_ways(const Work& work) { return has(work, "order") && work.word("order") == "neighbours"; }
inline std::string completion_of(const Work& work) {
  return has(work, "completion") ? work.word("completion") : "wait";
}
inline bool has_spread(const Work& work) { return has(work, "spread_ms"); }
inline Nanoseconds spread_of(const Work& work) { return has_spread(work) ? work.whole("spread_ms") * 1'000'000 : 0; }

/// The contexts of a round: the threads that make partitions ready, and then those of the other process: as many where
/// it sends too, else the one that receives.
struct PartitionedSides {
  int senders;
  int threads[2];
  [[nodiscard]] int side_of(const Seat& seat) const noexcept { return seat.party < threads[0] ? 0 : 1; }
  [[nodiscard]] int place_of(const Seat& seat) const noexcept { return seat.party - side_of(seat) * threads[0]; }
  [[nodiscard]] int leader_of(int side) const noexcept { return side * threads[0]; }
};

inline PartitionedSides sides_of(const Work& work) {
  return {both_ways(work) ? 2 : 1, {work.threads, both_ways(work) ? work.threads : 1}};
}

}  // namespace raddle::bench
