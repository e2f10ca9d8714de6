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
struct Block {
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
inline int exchange_mark(const Work& work, int round, const Block& block) {
  return round * exchange_contexts(work) + block.to;
}

/// One flow of all contexts. As threads each node has a process, or all have one.
/// @throws PlanError for values that are not allowed
inline Team exchange_team(Contexts contexts, const PointSet& set) {
  const std::int64_t nodes = set.work.whole("parties");
  if (nodes < 2 || nodes > 4096) throw PlanError("'parties' must be 2 to 4096");
  if (set.work.bytes < 1) throw PlanError("'bytes' must be at least 1");
  const std::int64_t volume = set.work.whole("volume");
  if (volume < 1 || volume > 1 << 30) throw PlanError("'volume' must be 1 to 1073741824");
  Team team = make_team(1, exchange_contexts(set.work), contexts, set.placement);
  if (contexts == Contexts::threads && set.placement != Placement::one_process)
    team.threads.assign(static_cast<std::size_t>(nodes), set.work.threads);
  return team;
}

/// A benchmark whose contexts time the exchange, each its part of it.
inline Benchmark exchange_benchmark(const char* summary,
                                    std::unique_ptr<Arm> (*arm)(const std::string&, const Team&, const Work&)) {
  const auto megabytes = [](const Work& work) {
    return 1e-6 * static_cast<double>(work.bytes) * exchange_contexts(work) * exchange_rounds(work);
  };
  return {"fft_exchange",
          summary,
          {"bandwidth", "MB/s", "higher", Kind::rate, megabytes},
          {{"bytes", 1024, "that each context has for each, at a time"},
           {"threads", 1, "contexts on each node: threads of a process, or processes"},
           {"parties", 2, "nodes"},
           {"volume", 256 << 10, "of all contexts together; what does not fit at a time goes in rounds"}},
          0,
          arm,
          {},
          exchange_team};
}

}  // namespace raddle::bench
