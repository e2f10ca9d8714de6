// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/direct_creation.hpp"

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "engines/direct/lanes_network.hpp"
#include "engines/engine.hpp"
#include "node/node_comm.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::direct {

using endpoints::collectives::NodeMeeting;

namespace {

constexpr std::uint64_t inbox_cells = 4096;  // 256 KiB

/// Within a process one copy pays early. To another one it is made by the kernel, which costs more than a second copy
/// through the inbox up to DirectCreation's default.
constexpr std::size_t eager_in_process = std::size_t{8} * 1024;

/// Of one endpoint.
constexpr std::size_t memory_of_each = Inbox::memory(inbox_cells) + transfers_of_each * sizeof(Transfer);

// What is not touched costs nothing: an endpoint that sends nothing long to another process has no ring in fact.
constexpr std::size_t ring_bytes = std::size_t{2} * 1024 * 1024;  // twice what most cores keep for themselves
// A ring begins a line behind a page's begin: then no copy between it and what begins 0, 8 or 16 bytes behind one, as
// large arrays mostly do, is slow (platform/copy_bytes.hpp).
constexpr std::size_t before_ring = transfers_of_each * sizeof(Pipeline) + alignof(Pipeline);
constexpr std::size_t spare_of_each = ring_bytes + std::size_t{4} * PipelineRing::page;
static_assert(before_ring % PipelineRing::page == alignof(Pipeline) && before_ring + ring_bytes <= spare_of_each);

// Threads that make communicators at the same time must not meet in MPI_COMM_SELF: a process alone has no communicator.

/// The processes of one machine. Collective. @throws Failure, on all processes
node::NodeComm machine_of(MPI_Comm processes) {
  int code = MPI_SUCCESS;
  node::NodeComm machine(processes, node::of_processes, code);
  if (!node::all_of(processes, node::of_processes, code == MPI_SUCCESS))
    throw endpoints::Failure(endpoints::no_communicators_left());
  return machine;
}

/// Memory of `bytes` zeros for the processes `here`, and `spare` more where it costs nothing. Collective over all.
/// @throws Failure, on all processes
node::Sharing share(const node::NodeComm& here, MPI_Comm processes, std::size_t bytes, std::size_t spare) {
  node::Sharing shared = here.share(bytes, spare);
  if (!node::all_of(processes, node::of_processes, shared.memory.has_value())) {
    throw endpoints::Failure(endpoints::endpoints_error(
        shared.problem.empty() ? "another process could not share memory with its node" : shared.problem));
  }
  return shared;
}

}  // namespace

NodePeers::NodePeers(const endpoints::Communicator& communicator) {
  const node::NodeComm machine = machine_of(communicator.processes());
  const std::vector<std::size_t> contexts = machine.gather(communicator.own_ranks().size());
  crowded_ = std::accumulate(contexts.begin(), contexts.end(), std::size_t{0}) >
             static_cast<std::size_t>(machine.count_cpus());

  const node::NodeComm alone;
  const node::NodeComm& here = platform::settings().node == platform::NodeScope::rank ? alone : machine;
  members_ = here.members(communicator.process());
  const auto endpoints = std::accumulate(
      members_.begin(), members_.end(), std::size_t{0},
      [&](std::size_t sum, const node::Member& one) { return sum + communicator.ranks_of(one.rank).size(); });
  has_others_ = static_cast<int>(members_.size()) < communicator.process_count();
  const bool meet = members_.size() > 1 && !has_others_ && communicator.size() <= NodeMeeting::most_ranks;
  const std::size_t meeting = meet ? NodeMeeting::memory(communicator.size()) : 0;
  const std::size_t presence = node::Departures::memory(members_.size());
  const std::size_t needed = meeting + presence + endpoints * memory_of_each;
  const std::size_t bytes = (needed + PipelineRing::page - 1) / PipelineRing::page * PipelineRing::page;
  const std::size_t spare = members_.size() > 1 ? endpoints * spare_of_each : 0;
  node::Sharing shared = share(here, communicator.processes(), bytes, spare);
  memory_ = std::move(shared.memory);
  std::byte* const place = memory_->bytes().data();
  const auto self = static_cast<std::size_t>(here.rank());
  departures_.emplace(place + meeting, members_.size(), self);
  std::byte* const rings = memory_->bytes().size() > bytes ? place + bytes : nullptr;
  place_inboxes(communicator, place + meeting + presence, rings, self, here.reach_each_other(members_));
  if (meet) place_meeting(communicator, place);
  if (members_.size() > 1 && shared.nameless) {
    std::vector<node::ProcessId> processes;
    for (const node::Member& one : members_) processes.push_back(one.process);
    departures_->watch(processes);
  }
  if (meet) {
    using Part = NodeMeeting::Part;
    const Part part = self == 0 ? Part::leads : self == 1 ? Part::follows : Part::waits;
    communicator.collectives().node_meeting()->find_round(part, !crowded_);
  }
  // Nobody sends into an inbox before its owner has made it.
  here.wait_for_all();
  if (meet) communicator.collectives().node_meeting()->know_round();
}

void NodePeers::place_meeting(const endpoints::Communicator& communicator, std::byte* place) {
  const bool reaches = std::ranges::all_of(peers_->near(), [](const auto& one) { return one.second.reachable; });
  std::vector<pid_t> processes;
  for (const auto& [rank, peer] : peers_->near()) {
    if (reaches) processes.push_back(peer.process);
  }
  communicator.collectives().meet_on_node(place, std::move(processes));
}

void NodePeers::place_inboxes(const endpoints::Communicator& communicator, std::byte* place, std::byte* rings,
                              std::size_t self, bool reachable) {
  std::vector<Peers::Near> near;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const bool own = member == self;
    for (const int rank : communicator.ranks_of(members_[member].rank)) {
      Peer& peer = near.emplace_back(rank, Peer{}).second;
      peer.inbox = own ? new (place) Inbox(inbox_cells) : std::launder(reinterpret_cast<Inbox*>(place));
      peer.process = own ? 0 : members_[member].process.pid;
      peer.reachable = own || reachable;
      if (!own) peer.left = &departures_->left(member);
      if (!platform::settings().eager) {
        if (own) peer.eager = eager_in_process;
        if (!own && rings != nullptr) peer.eager = Pipeline::least - 1;
      }
      peer.transfers = reinterpret_cast<Transfer*>(place + Inbox::memory(inbox_cells));
      if (own) std::uninitialized_default_construct_n(peer.transfers, transfers_of_each);
      place += memory_of_each;
      if (rings == nullptr) continue;
      peer.pipelines = reinterpret_cast<Pipeline*>(rings);
      if (own) std::uninitialized_default_construct_n(peer.pipelines, transfers_of_each);
      peer.ring = PipelineRing({rings + before_ring, ring_bytes});
      rings += spare_of_each;
    }
  }
  peers_.emplace(communicator.size(), std::move(near));
}

std::optional<int> NodePeers::lost() {
  const std::optional<std::size_t> member = departures_->lost();
  return member ? std::optional<int>(members_[*member].rank) : std::nullopt;
}

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
