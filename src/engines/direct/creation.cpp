// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/creation.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/handles.hpp"
#include "engines/direct/lanes_network.hpp"
#include "platform/settings.hpp"

namespace raddle::direct {
namespace {

constexpr std::size_t default_eager = std::size_t{64} * 1024;

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

void Creation::make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) {
  std::unique_ptr<Creation> creation(new Creation(std::move(communicator)));
  creation->make_endpoints(handles);
  const std::lock_guard lock(creations().guard);
  sweep();
  creations().all.push_back(std::move(creation));
}

Creation::Creation(std::unique_ptr<endpoints::Communicator> communicator)
    : communicator_(std::move(communicator)), node_(*communicator_) {}

void Creation::make_endpoints(const std::vector<MPI_Comm>& handles) {
  const std::shared_ptr<const Lanes> lanes = node_.has_others() ? make_lanes(*communicator_) : nullptr;
  // Their messages are apart from collectives.
  if (lanes) communicator_->collectives().use_lanes(std::span(lanes->comms).subspan(1));
  const auto peers = std::make_shared<const std::vector<Peer>>(node_.peers());
  const PortOptions options{platform::settings().eager.value_or(default_eager), node_.crowded()};
  for (std::size_t index = 0; index < handles.size(); ++index) {
    std::unique_ptr<Network> network = lanes ? std::make_unique<LanesNetwork>(lanes, static_cast<int>(index)) : nullptr;
    endpoints_.push_back(std::make_unique<DirectEndpoint>(handles[index], communicator_->own_ranks()[index], *this,
                                                          peers, options, std::move(network)));
    endpoints::insert<endpoints::Kind::communicator>(handles[index], *endpoints_.back());
  }
  alive_ = endpoints_.size();
}

Creation::~Creation() { node_.leave(); }

void Creation::freed(DirectEndpoint& endpoint) {
  const std::lock_guard lock(creations().guard);
  --endpoint.creation().alive_;
  sweep();
}

bool Creation::quiet(bool (DirectEndpoint::*is_quiet)()) {
  for (const auto& endpoint : endpoints_) endpoint->progress();  // all, for they may wait for each other
  return std::ranges::all_of(endpoints_, [&](const auto& endpoint) { return (*endpoint.*is_quiet)(); });
}

void Creation::sweep() {
  std::erase_if(creations().all, [](const auto& creation) {
    // Held is asked last: a message that is not out may be what holds it.
    return creation->alive_ == 0 && creation->quiet(&DirectEndpoint::unused) && !creation->communicator_->held();
  });
}

void Creation::end_all() {
  const std::lock_guard lock(creations().guard);
  for (const auto& creation : creations().all) {
    platform::Waiting waiting(creation->node_.crowded());
    while (!creation->quiet(&DirectEndpoint::owes_nothing)) {
      waiting.turn();
      if (waiting.long_wait()) creation->blocked(*creation->endpoints_.front(), "MPI_Finalize");
    }
    for (const auto& endpoint : creation->endpoints_) endpoints::erase<endpoints::Kind::communicator>(endpoint->comm);
  }
  creations().all.clear();
}

void Creation::progress_all() {
  const std::unique_lock lock(creations().guard, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another one is about it
  for (const auto& creation : creations().all) static_cast<void>(creation->quiet(&DirectEndpoint::owes_nothing));
}

bool Creation::any_alive() {
  const std::lock_guard lock(creations().guard);
  return std::ranges::any_of(creations().all, [](const auto& creation) { return creation->alive_ > 0; });
}

}  // namespace raddle::direct
