// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/node_peers.hpp"

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <span>
#include <system_error>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/errors.hpp"
#include "node/cpu_set.hpp"
#include "node/machine.hpp"
#include "node/node_comm.hpp"
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

/// Its processes on this machine, by their seniority. Collective. @throws Failure, on all processes
std::unique_ptr<const node::Machine> machine_of(const endpoints::Communicator& communicator) {
  int code = MPI_SUCCESS;
  const node::NodeComm processes(communicator.processes(), node::of_processes, code);
  if (!node::all_of(communicator.processes(), node::of_processes, code == MPI_SUCCESS))
    throw endpoints::Failure(endpoints::no_communicators_left());
  return std::make_unique<const node::Machine>(processes, communicator.seniority(communicator.process()));
}

/// Beside agreements and turns, which are made on this communicator as well.
constexpr int address_tag = 4;
using Address = std::array<char, 64>;

/// What the first of these processes tells the others.
Address told(Address address, const std::vector<NodePeers::Member>& members, int self, MPI_Comm processes) {
  constexpr int size = sizeof address;
  if (self != members.front().rank) {
    platform::must("MPI_Recv", PMPI_Recv(address.data(), size, MPI_CHAR, members.front().rank, address_tag, processes,
                                         MPI_STATUS_IGNORE));
    return address;
  }
  for (const NodePeers::Member& other : std::span(members).subspan(1))
    platform::must("MPI_Send", PMPI_Send(address.data(), size, MPI_CHAR, other.rank, address_tag, processes));
  return address;
}

}  // namespace

NodePeers::NodePeers(const endpoints::Communicator& communicator) {
  find_members(communicator);
  using Kind = node::SharedSegment::Kind;
  std::string problem;
  for (const auto kind : {Kind::nameless, Kind::named}) {
    const bool mine = take_memory(communicator, kind, problem);
    if (mine) place_all(communicator);
    // Nobody sends into an inbox before its owner has made it.
    if (!node::all_of(communicator.processes(), node::of_processes, mine)) continue;
    memory_->all_have_it();
    if (meets_) communicator.collectives().node_meeting()->know_way();
    return;
  }
  throw endpoints::Failure(
      endpoints::endpoints_error(problem.empty() ? "another process could not share memory with its node" : problem));
}

/// Those of this node.
void NodePeers::find_members(const endpoints::Communicator& communicator) {
  // What its origin has found out holds of all that descend from it.
  const node::Machine* machine = communicator.origin().machine();
  std::unique_ptr<const node::Machine> asked;
  if (machine == nullptr) {
    asked = machine_of(communicator);
    machine = asked.get();
  }
  const bool alone = platform::settings().node == platform::NodeScope::rank;
  std::size_t contexts = 0;
  node::CpuSet cpus{node::CpuSet::Words{}};
  for (int rank = 0; rank < communicator.process_count(); ++rank) {
    const node::Machine::Process* const here = machine->find(communicator.seniority(rank));
    if (here == nullptr) continue;
    contexts += communicator.ranks_of(rank).size();
    cpus.add(here->cpus);
    if (rank == communicator.process()) self_ = members_.size();
    if (!alone || rank == communicator.process()) members_.push_back({.rank = rank, .process = here->process});
  }
  processes_have_cpus_ = members_.size() <= static_cast<std::size_t>(cpus.count());
  crowded_ = contexts > static_cast<std::size_t>(cpus.count());
  reachable_ = machine->reach_each_other();
  has_others_ = static_cast<int>(members_.size()) < communicator.process_count();
  meets_ = members_.size() > 1 && !has_others_ && communicator.size() <= NodeMeeting::most_ranks;
  if (asked && &communicator.origin() == &communicator) communicator.origin().know(std::move(asked));
}

/// Memory for all endpoints of this node, zeros. @param problem  why there is none @returns false: there is none
bool NodePeers::take_memory(const endpoints::Communicator& communicator, node::SharedSegment::Kind kind,
                            std::string& problem) {
  memory_.reset();
  std::size_t endpoints = 0;
  for (const Member& member : members_) endpoints += communicator.ranks_of(member.rank).size();
  const std::size_t meeting = meets_ ? NodeMeeting::memory(communicator.size()) : 0;
  const std::size_t needed = meeting + node::Departures::memory(members_.size()) + endpoints * memory_of_each;
  const std::size_t bytes = (needed + PipelineRing::page - 1) / PipelineRing::page * PipelineRing::page;
  const std::size_t spare = endpoints * spare_of_each;
  const auto attempt = [&](auto&& make) {
    try {
      memory_.emplace(make());
    } catch (const std::system_error& error) {
      problem = error.what();
    }
  };
  using node::SharedSegment;
  if (members_.size() == 1) {
    attempt([&] { return SharedSegment::alone(bytes); });
  } else {
    Address address{};
    if (self_ == 0) attempt([&] { return SharedSegment::create(bytes, kind, spare); });
    if (memory_) memory_->address().copy(address.data(), address.size() - 1);
    address = told(address, members_, communicator.process(), communicator.processes());
    if (self_ != 0 && address[0] != '\0') attempt([&] { return SharedSegment::open(address.data(), bytes, spare); });
  }
  if (!memory_) return false;
  rings_ = memory_->bytes().size() > bytes ? memory_->bytes().data() + bytes : nullptr;
  return true;
}

/// What this process has in the memory, and where what the others have is.
void NodePeers::place_all(const endpoints::Communicator& communicator) {
  std::byte* const begin = memory_->bytes().data();
  std::byte* const presence = begin + (meets_ ? NodeMeeting::memory(communicator.size()) : 0);
  departures_.emplace(presence, members_.size(), self_);
  place_inboxes(communicator, presence + node::Departures::memory(members_.size()));
  if (members_.size() > 1 && node::SharedSegment::is_nameless(memory_->address())) {
    std::vector<node::ProcessId> processes;
    for (const Member& one : members_) processes.push_back(one.process);
    departures_->watch(std::move(processes));
  }
  if (!meets_) return;
  place_meeting(communicator, begin);
  using Part = NodeMeeting::Part;
  const Part part = self_ == 0 ? Part::leads : self_ == 1 ? Part::follows : Part::waits;
  const Member& other = members_[self_ == 0 ? 1 : 0];
  communicator.collectives().node_meeting()->find_way(part, communicator.ranks_of(other.rank).front(),
                                                      processes_have_cpus_);
}

void NodePeers::place_meeting(const endpoints::Communicator& communicator, std::byte* place) {
  const bool reaches = std::ranges::all_of(peers_->near(), [](const auto& one) { return one.second.reachable; });
  std::vector<pid_t> processes;
  for (const auto& [rank, peer] : peers_->near()) {
    if (reaches) processes.push_back(peer.process);
  }
  communicator.collectives().meet_on_node(place, std::move(processes));
}

void NodePeers::place_inboxes(const endpoints::Communicator& communicator, std::byte* place) {
  std::vector<Peers::Near> near;
  std::byte* rings = rings_;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const bool own = member == self_;
    for (const int rank : communicator.ranks_of(members_[member].rank)) {
      Peer& peer = near.emplace_back(rank, Peer{}).second;
      peer.inbox = own ? new (place) Inbox(inbox_cells) : std::launder(reinterpret_cast<Inbox*>(place));
      peer.process = own ? 0 : members_[member].process.pid;
      peer.reachable = own || reachable_;
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

}  // namespace raddle::direct
