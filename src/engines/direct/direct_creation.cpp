// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/direct_creation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "engines/direct/lanes_network.hpp"
#include "engines/engine.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::direct {

namespace {

constexpr std::size_t default_eager = std::size_t{64} * 1024;

}  // namespace

void DirectCreation::make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) {
  std::unique_ptr<DirectCreation> creation(new DirectCreation(std::move(communicator)));
  try {
    creation->make_endpoints(handles);
    keep(std::move(creation));
  } catch (...) {
    for (const MPI_Comm handle : handles) endpoints::erase<endpoints::Kind::communicator>(handle);
    throw;
  }
}

DirectCreation::DirectCreation(std::unique_ptr<endpoints::Communicator> communicator)
    : engines::Creation(std::move(communicator)), node_peers_(this->communicator()) {}

void DirectCreation::make_endpoints(const std::vector<MPI_Comm>& handles) {
  const std::shared_ptr<const Lanes> lanes = node_peers_.has_others() ? make_lanes(communicator()) : nullptr;
  // Their messages are apart from collectives.
  if (lanes) communicator().collectives().use_lanes(std::span(lanes->comms).subspan(1));
  const Peers& all = node_peers_.peers();
  std::array<std::shared_ptr<const Peers>, 2> peers;  // of the ranks of each group
  for (const int which : communicator().has_two_groups() ? std::vector{0, 1} : std::vector{0}) {
    const auto [first, size] = communicator().peers_of(communicator().side(which).first);
    peers[static_cast<std::size_t>(which)] = std::make_shared<const Peers>(all.part(first, size));
  }
  const std::optional<std::size_t> eager = platform::settings().eager;
  const PortOptions options{.eager = eager.value_or(default_eager),
                            .least_in_pipeline = eager ? std::max(*eager + 1, Pipeline::least) : Pipeline::least,
                            .crowded = node_peers_.crowded()};
  for (std::size_t index = 0; index < handles.size(); ++index) {
    const int rank = communicator().own_ranks()[index];
    std::unique_ptr<Network> network;
    if (lanes)
      network = std::make_unique<LanesNetwork>(lanes, static_cast<int>(index), communicator().peers_of(rank).first);
    endpoints_.push_back(std::make_unique<DirectEndpoint>(handles[index], rank, *this, all[rank],
                                                          peers[static_cast<std::size_t>(communicator().side_of(rank))],
                                                          options, std::move(network)));
    all_.push_back(endpoints_.back().get());
    endpoints::insert<endpoints::Kind::communicator>(handles[index], *endpoints_.back());
  }
}

DirectCreation::~DirectCreation() { node_peers_.leave(); }

void DirectCreation::end_the_job_if_one_is_lost(const endpoints::Endpoint& endpoint, const char* call) {
  if (const std::unique_lock lock(watching_, std::try_to_lock); lock.owns_lock()) {
    if (const std::optional<int> lost = node_peers_.lost()) {
      // Most launchers end the job themselves, and with the status of the process: this comes after them.
      std::this_thread::sleep_for(std::chrono::seconds(1));
      const int rank = communicator().ranks_of(*lost).front();
      platform::last_words(
          "raddle: process " + std::to_string(communicator().members()[static_cast<std::size_t>(rank)].process) +
          " of MPI_COMM_WORLD has ended before MPI_Finalize; endpoint " + std::to_string(endpoint.rank()) + " of " +
          std::to_string(endpoint.size()) + " waits in " + call + ". Ending the job.\n");
      const endpoints::AsProcess process;
      platform::regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
    }
  }
}

std::string DirectCreation::describe() const {
  std::string text;
  for (const auto& endpoint : endpoints_) text += endpoint->port().describe() + "\n";
  return text;
}

// The direct engine: endpoints meet in memory, and on lanes between nodes.
namespace {

class DirectEngine final : public engines::Engine {
 public:
  void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) override {
    DirectCreation::make(std::move(communicator), handles);
  }
};

}  // namespace

engines::Engine& engine() {
  static auto& lasting = *new DirectEngine;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace raddle::direct
