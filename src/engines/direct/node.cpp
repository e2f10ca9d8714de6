// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/node.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/errors.hpp"
#include "node/cpu_set.hpp"
#include "node/cross_memory.hpp"
#include "node/share.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::direct {

using endpoints::collectives::NodeMeeting;

namespace {

using platform::must;

constexpr std::uint64_t inbox_cells = 4096;  // 256 KiB

/// Within a process one copy pays early. To another one it is made by the kernel, which costs more than a second copy
/// through the inbox up to Creation's default.
constexpr std::size_t eager_in_process = std::size_t{8} * 1024;

/// Of one endpoint.
constexpr std::size_t memory_of_each = Inbox::memory(inbox_cells) + transfers_of_each * sizeof(Transfer);

// Here MPI_COMM_NULL is this process alone: threads that make communicators at the same time must not meet in
// MPI_COMM_SELF.

/// Collective: whether it is so for all.
bool all(MPI_Comm comm, bool mine) {
  int every = mine ? 1 : 0;
  if (comm != MPI_COMM_NULL) must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_LAND, comm));
  return every != 0;
}

/// The processes of one machine; freed again.
class Machine {
 public:
  /// Collective. @throws Failure, on all processes
  explicit Machine(MPI_Comm processes) {
    if (processes == MPI_COMM_NULL) return;
    int rank = 0;
    must("MPI_Comm_rank", PMPI_Comm_rank(processes, &rank));
    const int code = PMPI_Comm_split_type(processes, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm_);
    if (all(processes, code == MPI_SUCCESS)) return;
    if (comm_ != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&comm_));
    throw endpoints::Failure(endpoints::no_communicators_left());
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    if (comm_ != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&comm_));
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Collective.
template <typename Value>
std::vector<Value> gather(MPI_Comm comm, const Value& mine) {
  if (comm == MPI_COMM_NULL) return {mine};
  int size = 0;
  must("MPI_Comm_size", PMPI_Comm_size(comm, &size));
  std::vector<Value> all(static_cast<std::size_t>(size));
  must("MPI_Allgather", PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm));
  return all;
}

/// What shares memory.
struct Team {
  MPI_Comm node;
  bool is_first;

  [[nodiscard]] bool first() const { return is_first; }
  void tell(std::span<char> text) const {
    if (node != MPI_COMM_NULL)
      must("MPI_Bcast", PMPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, node));
  }
  [[nodiscard]] bool all(bool mine) const { return direct::all(node, mine); }
};

/// Collective: CPUs that any of the processes may use.
int cpus_of(MPI_Comm machine) {
  node::CpuSet cpus;
  if (machine != MPI_COMM_NULL)
    must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, cpus.bytes(), node::CpuSet::size, MPI_BYTE, MPI_BOR, machine));
  return cpus.count();
}

}  // namespace

Node::Node(const endpoints::Communicator& communicator) {
  const Machine machine(communicator.processes());
  const std::vector<std::size_t> contexts = gather(machine.comm(), communicator.own_ranks().size());
  crowded_ = std::accumulate(contexts.begin(), contexts.end(), std::size_t{0}) >
             static_cast<std::size_t>(cpus_of(machine.comm()));

  const MPI_Comm node = platform::settings().node == platform::Node::rank ? MPI_COMM_NULL : machine.comm();
  members_ = gather(node, communicator.process());
  self_ = static_cast<int>(std::ranges::find(members_, communicator.process()) - members_.begin());
  const std::vector<node::Process> processes = gather(node, node::this_process());
  const auto endpoints =
      std::accumulate(members_.begin(), members_.end(), std::size_t{0},
                      [&](std::size_t sum, int process) { return sum + communicator.ranks_of(process).size(); });
  has_others_ = static_cast<int>(members_.size()) < communicator.process_count();
  const bool meet = members_.size() > 1 && !has_others_ && communicator.size() <= NodeMeeting::most_ranks;
  const std::size_t meeting = meet ? NodeMeeting::memory(communicator.size()) : 0;
  share(communicator.processes(), node, meeting + members_.size() * sizeof(Presence) + endpoints * memory_of_each);
  std::byte* const place = memory_->bytes().data();
  place_inboxes(communicator, place + meeting, reach_each_other(node, processes), processes);
  if (meet) place_meeting(communicator, place);
  if (processes.size() > 1 && see_each_other_) watch_.emplace(processes);
  // Nobody sends into an inbox before its owner has made it.
  if (node != MPI_COMM_NULL) must("MPI_Barrier", PMPI_Barrier(node));
}

void Node::share(MPI_Comm processes, MPI_Comm node, std::size_t bytes) {
  node::Sharing shared = node::share(Team{node, self_ == 0}, bytes);
  memory_ = std::move(shared.memory);
  see_each_other_ = shared.nameless;
  if (!all(processes, memory_.has_value())) {
    throw endpoints::Failure(endpoints::endpoints_error(
        shared.problem.empty() ? "another process could not share memory with its node" : shared.problem));
  }
}

bool Node::reach_each_other(MPI_Comm node, const std::vector<node::Process>& processes) {
  if (processes.size() == 1) return true;
  // Something that a process which only looks like ours by its pid would not have at that place.
  token_ = static_cast<std::uint64_t>(getpid()) * 0x9e3779b97f4a7c15U ^ reinterpret_cast<std::uintptr_t>(this);
  const std::array<std::uint64_t, 2> mine{reinterpret_cast<std::uintptr_t>(&token_), token_};
  const std::vector<std::array<std::uint64_t, 2>> tokens = gather(node, mine);
  bool reached = platform::settings().single_copy != platform::SingleCopy::off;
  for (std::size_t i = 0; reached && i < processes.size(); ++i)
    reached = node::can_reach(processes[i].pid, tokens[i][0], tokens[i][1]);
  return all(node, reached);
}

void Node::place_meeting(const endpoints::Communicator& communicator, std::byte* place) {
  const bool reaches = std::ranges::all_of(peers_, &Peer::reachable);
  std::vector<pid_t> processes;
  for (const Peer& peer : peers_) {
    if (reaches) processes.push_back(peer.process);
  }
  communicator.collectives().meet_on_node(place, std::move(processes));
}

void Node::place_inboxes(const endpoints::Communicator& communicator, std::byte* place, bool reachable,
                         const std::vector<node::Process>& processes) {
  presence_ = {reinterpret_cast<Presence*>(place), members_.size()};
  place += members_.size() * sizeof(Presence);
  peers_.resize(static_cast<std::size_t>(communicator.size()));
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const bool own = member == static_cast<std::size_t>(self_);
    for (const int rank : communicator.ranks_of(members_[member])) {
      Peer& peer = peers_[static_cast<std::size_t>(rank)];
      peer.inbox = own ? new (place) Inbox(inbox_cells) : std::launder(reinterpret_cast<Inbox*>(place));
      peer.process = own ? 0 : processes[member].pid;
      peer.reachable = own || reachable;
      if (!own) peer.left = &presence_[member].left;
      if (own && !platform::settings().eager) peer.eager = eager_in_process;
      peer.transfers = reinterpret_cast<Transfer*>(place + Inbox::memory(inbox_cells));
      if (own) std::uninitialized_default_construct_n(peer.transfers, transfers_of_each);
      place += memory_of_each;
    }
  }
}

std::optional<int> Node::lost() {
  if (!watch_) return std::nullopt;
  while (const std::optional<std::size_t> ended = watch_->ended()) {
    if (presence_[*ended].left.load(std::memory_order_acquire) == 0) return members_[*ended];
    watch_->forget(*ended);
  }
  return std::nullopt;
}

void Node::leave() { presence_[static_cast<std::size_t>(self_)].left.store(1, std::memory_order_release); }

}  // namespace raddle::direct
