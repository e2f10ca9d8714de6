// SPDX-License-Identifier: BSD-3-Clause
#include "engines/creation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <string>

#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/requests/polling.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "platform/waiting.hpp"

namespace raddle::engines {

bool Unattended::look(const std::vector<endpoints::Endpoint*>& all) {
  seen_.resize(all.size());
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t moved = all[i]->moved();
    seen_[i] = {moved, moved == seen_[i].moved};
    any = any || seen_[i].unattended;
  }
  return any;
}

bool Unattended::step(const std::vector<endpoints::Endpoint*>& all) {
  bool any = false;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (!seen_[i].unattended) continue;
    all[i]->progress();
    static_cast<void>(all[i]->owes_nothing());  // what is complete and nobody waits for comes back by asking
    const std::uint64_t moved = all[i]->moved();
    any = any || moved != seen_[i].moved;
    seen_[i].moved = moved;
  }
  return any;
}

namespace {

/// All that has not ended, of this process.
struct Creations {
  std::recursive_mutex guard;  // an error that ends a process may come back here
  std::vector<std::unique_ptr<Creation>> all;
  bool go_on_in_background = false;
};

Creations& creations() {
  static auto& lasting = *new Creations;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace

void Creation::keep(std::unique_ptr<Creation> creation) {
  const std::lock_guard lock(creations().guard);
  sweep();
  creations().all.push_back(std::move(creation));
  // What waits in a call of the MPI's own, or between calls, is not seen here. Steps may call the MPI.
  if (creations().go_on_in_background || !endpoints::mpi_progress::any_thread()) return;
  creations().go_on_in_background = true;
  platform::Background::get().add(&Creation::go_on_in_background);
}

void Creation::freed() {
  const std::lock_guard lock(creations().guard);
  ++freed_;
  sweep();
}

bool Creation::quiet(bool (endpoints::Endpoint::*is_quiet)()) {
  for (endpoints::Endpoint* endpoint : endpoints()) endpoint->progress();  // all, for they may wait for each other
  // All are asked: what is complete and nobody waits for comes back by that.
  return std::ranges::count_if(endpoints(), [&](endpoints::Endpoint* one) { return !(*one.*is_quiet)(); }) == 0;
}

bool Creation::unused() {
  // Held is asked last: a message that is not out may be what holds it.
  return freed_ == endpoints().size() && quiet(&endpoints::Endpoint::unused) && !communicator_->held();
}

void Creation::sweep() {
  // What others descend from stays as long as they do.
  while (std::erase_if(creations().all, [](const auto& creation) { return creation->unused(); }) != 0) {
  }
}

void Creation::end_all() {
  const std::lock_guard lock(creations().guard);
  for (const auto& creation : creations().all) {
    for (endpoints::Endpoint* endpoint : creation->endpoints()) endpoint->close_extension();
    platform::Waiting waiting(creation->crowded());
    while (!creation->quiet(&endpoints::Endpoint::owes_nothing)) {
      waiting.turn();
      if (waiting.long_wait()) creation->blocked(*creation->endpoints().front(), "MPI_Finalize");
    }
    for (const endpoints::Endpoint* endpoint : creation->endpoints())
      endpoints::erase<endpoints::Kind::communicator>(endpoint->comm);
  }
  while (!creations().all.empty()) creations().all.pop_back();  // what others descend from comes before them
}

void Creation::progress_all() {
  const std::unique_lock lock(creations().guard, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another one is about it
  for (const auto& creation : creations().all) static_cast<void>(creation->quiet(&endpoints::Endpoint::owes_nothing));
}

bool Creation::go_on_in_background() {
  // While anything moves somebody may be waiting for more of it. A thread that has come back goes on by itself.
  constexpr auto patience = std::chrono::milliseconds(1);
  constexpr auto most = std::chrono::milliseconds(20);
  using Clock = std::chrono::steady_clock;
  const auto of_all = [](bool (Unattended::*does)(const std::vector<endpoints::Endpoint*>&)) {
    bool any = false;
    for (const auto& creation : creations().all) any = (creation->unattended_.*does)(creation->endpoints()) || any;
    return any;
  };
  const Clock::time_point begin = Clock::now();
  Clock::time_point end{};
  for (bool first = true; first || Clock::now() < end; first = false) {
    {
      const std::unique_lock lock(creations().guard, std::try_to_lock);
      if (!lock.owns_lock()) return true;  // so a thread is here
      if (creations().all.empty()) return creations().go_on_in_background = false;
      if (first && !of_all(&Unattended::look)) return true;
      if (of_all(&Unattended::step)) end = std::min(Clock::now() + patience, begin + most);
    }
    platform::Machine::yield();
  }
  return true;
}

bool Creation::any_alive() {
  const std::lock_guard lock(creations().guard);
  return std::ranges::any_of(creations().all,
                             [](const auto& creation) { return creation->freed_ < creation->endpoints().size(); });
}

// What happens while a call is blocked for long: it looks whether others live, and tells people what it waits for.

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
