// SPDX-License-Identifier: BSD-3-Clause
#include "core/team.hpp"

#include <algorithm>

#include "core/plan.hpp"

namespace raddle::bench {

int Team::most_threads() const noexcept { return *std::ranges::max_element(threads); }

std::vector<int> Team::contexts_of(std::span<const int> of) const {
  std::vector<int> found;
  for (int context = 0; context < contexts(); ++context) {
    if (std::ranges::find(of, process_of(context)) != of.end()) found.push_back(context);
  }
  return found;
}

int Team::busy(std::span<const int> of) const noexcept {
  int own = 0;
  for (const int process : of) own += threads[static_cast<std::size_t>(process)];
  return own * (1 + helpers) + static_cast<int>(of.size()) * proxies;
}

Seat Team::seat(int process, int thread) const noexcept {
  int context = thread;
  for (int before = 0; before < process; ++before) context += threads[static_cast<std::size_t>(before)];
  const int party = context / flows;
  return {process, thread, context, context % flows, party, party == 0 ? Side::sender : Side::receiver, -1, true};
}

int Team::process_of(int context) const noexcept {
  int process = 0;
  while (context >= threads[static_cast<std::size_t>(process)]) context -= threads[static_cast<std::size_t>(process++)];
  return process;
}

Team make_team(int flows, int parties, Contexts contexts, Placement placement) {
  const int all = flows * parties;
  if (contexts == Contexts::processes) {
    if (placement == Placement::one_process) {
      throw PlanError("processes have no placement one-process: their contexts are never in one");
    }
    return {flows, parties, std::vector<int>(static_cast<std::size_t>(all), 1)};
  }
  if (placement == Placement::one_process) return {flows, parties, {all}};
  return {flows, parties, std::vector<int>(static_cast<std::size_t>(parties), flows)};
}

}  // namespace raddle::bench
