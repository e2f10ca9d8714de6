// SPDX-License-Identifier: BSD-3-Clause
// What happens while a call is blocked for long: it looks whether others live, and tells people what it waits for.
#include <chrono>
#include <cstdio>
#include <string>

#include "engines/creation.hpp"
#include "platform/settings.hpp"

namespace raddle::engines {
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
  end_the_job_if_one_is_lost(endpoint, call);
  const double patience = platform::settings().watchdog;
  if (patience <= 0) return;
  Blocked& mine = note(endpoint, call);
  const std::chrono::duration<double> waited = mine.last - mine.since;
  if (mine.told || waited.count() < patience) return;
  mine.told = true;
  std::string text = "raddle: endpoint " + std::to_string(endpoint.rank()) + " of " + std::to_string(endpoint.size()) +
                     " has waited for more than " + std::to_string(static_cast<long>(patience)) + " s in " + call +
                     ". The endpoints of this process:\n";
  text += describe();
  std::fputs(text.c_str(), stderr);  // in one piece, for other processes write there too
}

}  // namespace raddle::engines
