// SPDX-License-Identifier: BSD-3-Clause
#include "core/teams.hpp"

#include <string>

namespace raddle::bench::teams {
namespace {

int whole(const PointSet& set, const char* name) { return static_cast<int>(set.work.whole(name)); }

/// Whether threads are in more than one process, so that it is to say how many each has.
bool spread(Contexts contexts, const PointSet& set) {
  return contexts == Contexts::threads && set.placement != Placement::one_process;
}

}  // namespace

Team pairs(Contexts contexts, const PointSet& set) { return make_team(set.work.threads, 2, contexts, set.placement); }

Team partners(Contexts contexts, const PointSet& set) {
  return make_team(set.work.threads, set.work.word("partner") == "self" ? 1 : 2, contexts, set.placement);
}

Team groups(Contexts contexts, const PointSet& set) {
  return make_team(set.work.threads, whole(set, "parties"), contexts, set.placement);
}

Team sides(Contexts contexts, const PointSet& set) {
  const int parties = set.work.params.contains("parties") ? whole(set, "parties") : 2;
  Team team = make_team(1, parties * set.work.threads, contexts, set.placement);
  if (spread(contexts, set)) team.threads.assign(static_cast<std::size_t>(parties), set.work.threads);
  return team;
}

Team short_long(Contexts contexts, const PointSet& set) {
  Team team = make_team(2, 2, contexts, set.placement);
  if (contexts == Contexts::threads) team.threads = {2, 1, 1};
  return team;
}

Team ring(Contexts contexts, const PointSet& set) {
  Team team = make_team(1, whole(set, "neighbours") + 1, contexts, set.placement);
  // The library's own thread is one of ours as far as the CPUs are concerned. Proxies are counted as such.
  const std::string& progress = set.work.word("progress");
  team.helpers = progress == "none" || progress == "proxy" ? 0 : 1;
  return team;
}

Team collective_compute(Contexts contexts, const PointSet& set) {
  return make_team(set.work.threads + 1, 2, contexts, set.placement);
}

Team partitioned(Contexts contexts, const PointSet& set) {
  if (contexts == Contexts::processes && set.work.threads != 1) {
    throw PlanError("partitions of one buffer are made ready by threads, not by several processes");
  }
  const bool both_ways = set.work.params.contains("order") && set.work.word("order") == "neighbours";
  const int others = both_ways ? set.work.threads : 1;
  Team team = make_team(1, set.work.threads + others, contexts, set.placement);
  if (spread(contexts, set)) team.threads = {set.work.threads, others};
  return team;
}

Team ranks(Contexts contexts, const PointSet& set) {
  const int all = whole(set, "ranks");
  Team team = make_team(1, all, contexts, set.placement);
  if (spread(contexts, set)) team.threads = {(all + 1) / 2, all / 2};
  return team;
}

}  // namespace raddle::bench::teams
