// SPDX-License-Identifier: BSD-3-Clause
// What happens while a call is blocked for long: it looks whether others live, and tells people what it waits for.
#include <chrono>
#include <cstdio>
#include <string>

#include "endpoints/rank.hpp"
#include "engines/direct/creation.hpp"
#include "platform/last_words.hpp"
#include "platform/settings.hpp"

namespace raddle::direct {
namespace {

using Clock = std::chrono::steady_clock;

/// The blocked call of this thread. Calls tell of themselves every tenth of a second, so after a longer silence it is
/// another one.
struct Blocked {
  const endpoints::Endpoint* endpoint = nullptr;
  const char* call = nullptr;
  Clock::time_point since{};
  Clock::time_point last{};
  bool told = false;
};

Blocked& note(const endpoints::Endpoint& endpoint, const char* call) {
  thread_local Blocked mine;
  const Clock::time_point now = Clock::now();
  const bool same = mine.endpoint == &endpoint && mine.call == call && now - mine.last < std::chrono::seconds(1);
  if (!same) mine = {&endpoint, call, now - std::chrono::milliseconds(100), now, false};
  mine.last = now;
  return mine;
}

}  // namespace

void Creation::blocked(endpoints::Endpoint& endpoint, const char* call) {
  if (const std::unique_lock lock(watching_, std::try_to_lock); lock.owns_lock()) {
    if (const std::optional<int> lost = node_.lost()) {
      const int rank = communicator().ranks_of(*lost).front();
      platform::last_words(
          "raddle: process " + std::to_string(communicator().members()[static_cast<std::size_t>(rank)].process) +
          " of MPI_COMM_WORLD has ended before MPI_Finalize; endpoint " + std::to_string(endpoint.rank()) + " of " +
          std::to_string(endpoint.size()) + " waits in " + call + ". Ending the job.\n");
      const endpoints::AsProcess process;
      PMPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  const double patience = platform::settings().watchdog;
  if (patience <= 0) return;
  Blocked& mine = note(endpoint, call);
  const std::chrono::duration<double> waited = mine.last - mine.since;
  if (mine.told || waited.count() < patience) return;
  mine.told = true;
  std::string text = "raddle: endpoint " + std::to_string(endpoint.rank()) + " of " + std::to_string(endpoint.size()) +
                     " has waited for more than " + std::to_string(static_cast<long>(patience)) + " s in " + call +
                     ". The endpoints of this process:\n";
  for (const auto& other : endpoints_) text += other->port().describe() + "\n";
  std::fputs(text.c_str(), stderr);  // in one piece, for other processes write there too
}

}  // namespace raddle::direct
