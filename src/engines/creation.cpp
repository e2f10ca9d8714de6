// SPDX-License-Identifier: BSD-3-Clause
#include "engines/creation.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "endpoints/handles.hpp"
#include "endpoints/mpi_progress.hpp"
#include "platform/background.hpp"
#include "platform/waiting.hpp"

namespace raddle::engines {
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
  std::erase_if(creations().all, [](const auto& creation) { return creation->unused(); });
}

void Creation::end_all() {
  const std::lock_guard lock(creations().guard);
  for (const auto& creation : creations().all) {
    platform::Waiting waiting(creation->crowded());
    while (!creation->quiet(&endpoints::Endpoint::owes_nothing)) {
      waiting.turn();
      if (waiting.long_wait()) creation->blocked(*creation->endpoints().front(), "MPI_Finalize");
    }
    for (const endpoints::Endpoint* endpoint : creation->endpoints())
      endpoints::erase<endpoints::Kind::communicator>(endpoint->comm);
  }
  creations().all.clear();
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

}  // namespace raddle::engines
