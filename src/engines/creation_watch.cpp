// SPDX-License-Identifier: BSD-3-Clause
// What happens while a call is blocked for long: it looks whether others live, and tells people what it waits for.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>

#include "endpoints/handles.hpp"
#include "endpoints/late_handle.hpp"
#include "endpoints/polling.hpp"
#include "engines/creation.hpp"
#include "platform/must.hpp"
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
  std::uint64_t wait = 0;  ///< of calls that look again and again
  bool told = false;
};

Blocked& note(const endpoints::Endpoint& endpoint, const char* call) {
  thread_local Blocked mine;
  const Clock::time_point now = Clock::now();
  const std::uint64_t wait = endpoints::Polling::wait();
  const bool same =
      mine.endpoint == &endpoint && mine.call == call && mine.wait == wait && now - mine.last < std::chrono::seconds(1);
  if (!same) mine = {&endpoint, call, now - std::chrono::milliseconds(100), now, wait, false};
  mine.last = now;
  return mine;
}

/// As people know it: its name, or else its handle.
std::string name_of(MPI_Comm handle) {
  const MPI_Comm real = endpoints::late::behind(handle);
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  if (real != MPI_COMM_NULL) platform::regardless(PMPI_Comm_get_name(real, name.data(), &length));
  if (length > 0) return {name.data(), static_cast<std::size_t>(length)};
  std::ostringstream text;
  text << "0x" << std::hex << endpoints::bits(handle);
  return text.str();
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
                     " (communicator " + name_of(endpoint.raises()) + ") has waited for more than " +
                     std::to_string(static_cast<long>(patience)) + " s in " + call +
                     ". The endpoints of this process:\n";
  text += describe();
  std::fputs(text.c_str(), stderr);  // in one piece, for other processes write there too
}

}  // namespace raddle::engines
