// SPDX-License-Identifier: BSD-3-Clause
#include "engines/creation.hpp"

#include <algorithm>
#include <mutex>

#include "endpoints/handles.hpp"
#include "platform/waiting.hpp"

namespace raddle::engines {
namespace {

/// All that has not ended, of this process.
struct Creations {
  std::recursive_mutex guard;  // an error that ends a process may come back here
  std::vector<std::unique_ptr<Creation>> all;
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
}

void Creation::freed() {
  const std::lock_guard lock(creations().guard);
  ++freed_;
  sweep();
}

bool Creation::quiet(bool (endpoints::Endpoint::*is_quiet)()) {
  for (endpoints::Endpoint* endpoint : endpoints()) endpoint->progress();  // all, for they may wait for each other
  return std::ranges::all_of(endpoints(), [&](endpoints::Endpoint* endpoint) { return (*endpoint.*is_quiet)(); });
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

bool Creation::any_alive() {
  const std::lock_guard lock(creations().guard);
  return std::ranges::any_of(creations().all,
                             [](const auto& creation) { return creation->freed_ < creation->endpoints().size(); });
}

}  // namespace raddle::engines
