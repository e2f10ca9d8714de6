// SPDX-License-Identifier: BSD-3-Clause
// What a sequence of collectives shares: the meeting of this process's endpoints, and a communicator on which one of
// them speaks for the process; and a meeting of all ranks, where all are on one node.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/collectives/node_meeting.hpp"
#include "endpoints/communicators/communicator.hpp"
#include "platform/spin_lock.hpp"
#include "platform/zeroed_array.hpp"

namespace raddle::endpoints::collectives {

// What processes say of their collectives when one has waited long: which one it waits in, to its neighbours, so that
// calls that do not match are named in place of a wait for ever; and, if that is found, to all others. While calls
// match and nobody waits long there are none.

class Complaints {
 public:
  /// What travels. Processes of a job have one architecture, or collectives of MPI_BYTE would do it no better.
  struct Complaint {
    std::uint64_t communicator = 0;
    std::uint64_t number = 0;
    std::uint64_t call = 0;  ///< Call::word() of who waits; 0: ranks are out of step, for this reason
    std::int32_t rank = 0;
    std::int32_t unused = 0;
    std::array<char, 232> why{};
  };

  /// @param communicator  the name that the processes have for it: a complaint may come when the MPI has given the
  ///   context of a freed communicator to this one
  /// @param self  of this process there
  Complaints(MPI_Comm processes, std::uint64_t communicator, int self, int count)
      : processes_(processes), communicator_(communicator), self_(self), count_(count) {}
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;
  ~Complaints();

  // One thread at a time.
  /// Tells the neighbours, once for a number.
  void wait_in(std::uint64_t number, std::uint64_t call, int rank);
  /// Tells all others, once.
  void out_of_step(std::uint64_t number, std::string_view why);
  /// What others have told since the last time.
  [[nodiscard]] std::vector<Complaint> heard();

 private:
  void send(int to, const Complaint& complaint);

  MPI_Comm processes_;
  std::uint64_t communicator_;
  int self_;
  int count_;
  std::uint64_t told_ = 0;
  bool told_all_ = false;
  struct Sent {
    Complaint complaint;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::deque<Sent> sent_;
};

/// A piece of what has been received.
struct Received {
  std::size_t begin = 0;
  std::size_t bytes = 0;
  // Of a piece in a block (blocks.hpp), where that begins, and which one of its pieces it is.
  std::size_t block = 0;
  std::size_t block_bytes = 0;  ///< 0: it is in none
  std::size_t place = 0;
  std::size_t places = 0;
};

/// What the MPI writes and reads while it exchanges.
struct Exchanging {
  std::vector<MPI_Request> requests;  ///< the i-th is on Context::lane(i)
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  std::vector<int> numbers;  ///< counts and displacements
};

/// The part of one collective that processes do: the MPI's own collective over them, nonblocking; of much data several,
/// each on a lane.
struct Exchanged : Exchanging {
  std::atomic<std::uint64_t> complete{0};  ///< number of the last one that is
  std::atomic<int> error{MPI_SUCCESS};
  std::atomic<std::size_t> pending{0};
  std::atomic<std::uint64_t> open{0};  ///< number of the last one whose `combined` has room
  std::uint64_t number = 0;            ///< of the last one that has begun
  std::uint64_t call = 0;              ///< Call::word() of who began it
  int caller = 0;                      ///< the caller's rank
  void* combined = nullptr;            ///< elements in `sent`
  void* before = nullptr;              ///< elements in `received`
  std::vector<Received> pieces;        ///< of `received`, as the collective numbers them

  [[nodiscard]] MPI_Request* add() { return &requests.emplace_back(MPI_REQUEST_NULL); }
};

class Context {
 public:
  /// On the processes of the communicator, on which nothing was called before: collective over them.
  explicit Context(const Communicator& communicator);
  /// The same on others.
  /// @param processes of its own, freed with this; MPI_COMM_NULL: all endpoints are of this process
  Context(const Communicator& communicator, MPI_Comm processes);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  [[nodiscard]] const Communicator& communicator() const { return communicator_; }
  /// The name of its processes' communicator; 0 if this process is alone.
  [[nodiscard]] std::uint64_t name() const { return name_; }
  /// What goes with it for a group of an intercommunicator by itself: the group's own, or one that was made for this.
  [[nodiscard]] Context& of_side(int which) {
    const auto& own = sides_[static_cast<std::size_t>(which)];
    return own ? *own : communicator_.alone(which).collectives();
  }
  /// Before the first collective.
  void use_side(int which, std::unique_ptr<Context> own) { sides_[static_cast<std::size_t>(which)] = std::move(own); }
  [[nodiscard]] bool has_own_sides() const { return sides_[0] != nullptr || sides_[1] != nullptr; }
  [[nodiscard]] Meeting& meeting() { return meeting_; }
  /// Its collectives have numbers of their own. nullptr: there is none
  [[nodiscard]] NodeMeeting* node_meeting() { return node_meeting_ ? &*node_meeting_ : nullptr; }
  /// Where all ranks have seats, by rank; nullptr: they are on several nodes.
  [[nodiscard]] Meeting* meeting_of_all() {
    if (alone()) return &meeting_;
    return node_meeting_ ? &node_meeting_->meeting() : nullptr;
  }
  /// Before the first collective; to be used once all processes have called this. As NodeMeeting's constructor.
  void meet_on_node(std::byte* memory, std::vector<pid_t> processes);
  [[nodiscard]] bool alone() const { return processes_ == MPI_COMM_NULL; }
  [[nodiscard]] MPI_Comm processes() const { return processes_; }
  /// More communicators of the same processes, for this alone, which outlive its collectives. Before the first one.
  void use_lanes(std::span<const MPI_Comm> comms);
  [[nodiscard]] MPI_Comm lane(std::size_t i) const { return lanes_[i % lanes_.size()].comm; }
  /// In how many pieces so many bytes are exchanged, for which lanes are taken in turn: the same on all processes.
  [[nodiscard]] std::size_t pieces(std::size_t bytes) const;
  /// Whether the MPI lets the threads of all endpoints of this process call it, if they have to.
  [[nodiscard]] bool level_suffices() const { return level_suffices_; }

  /// Memory for what a rank leaves for the others of its process, so that it need not wait for them: free again once
  /// all have finished collective `number`. Any thread. @throws std::bad_alloc
  [[nodiscard]] std::byte* room(std::uint64_t number);
  static constexpr std::size_t room_bytes = std::size_t{64} * 1024;

  [[nodiscard]] Exchanged& exchanged(std::uint64_t number) { return exchanged_[number % Meeting::slots]; }
  [[nodiscard]] bool is_exchanged(std::uint64_t number) {
    return alone() || exchanged(number).complete.load(std::memory_order_acquire) >= number;
  }

  /// Another part has looked in vain, often: whether processes have called something else. Any thread.
  void look_across(const Collective& part);
  /// Whether ranks have called different collectives: what the MPI has begun for them may never end. Of the node it
  /// says nothing, whose memory may be gone.
  [[nodiscard]] bool abandoned() const;

  /// Begins the exchanges that can begin, in the order of numbers, and asks for those under way. Any thread.
  /// @param index the endpoint's, whose lane comes first, so that threads ask for different ones
  void progress(int index);

 private:
  struct UnderWay {
    std::uint64_t number;
    MPI_Request* request;
  };
  struct CollectiveLane {
    MPI_Comm comm = MPI_COMM_NULL;
    std::atomic<bool> busy{false};
    std::mutex lock;
    std::vector<UnderWay> under_way;
  };

  Context(const Communicator& communicator, MPI_Comm processes, bool own);
  [[nodiscard]] Collective* ready(std::uint64_t number);
  void begin();
  /// Whether a process has called something else.
  void hear(const Complaints::Complaint& complaint);
  [[nodiscard]] bool out_of_step() const;
  void ask(CollectiveLane& lane);

  const Communicator& communicator_;
  MPI_Comm processes_;
  bool own_processes_;
  std::array<std::unique_ptr<Context>, 2> sides_;
  std::uint64_t name_;  ///< of `processes_`, alike on all of them
  bool level_suffices_ = true;
  Meeting meeting_;
  // More rooms than slots: what has left the cache of the core that wrote it is fetched sooner by another one.
  static constexpr std::size_t rooms = 2 * Meeting::slots;
  std::once_flag rooms_made_;
  std::unique_ptr<platform::ZeroedArray<std::byte>> rooms_;
  std::optional<NodeMeeting> node_meeting_;
  platform::SpinLock lock_;
  std::uint64_t next_ = 1;
  std::optional<Complaints> complaints_;      ///< from the first long wait on
  std::vector<Complaints::Complaint> early_;  ///< about what this process has not come to
  unsigned looks_ = 0;
  std::deque<CollectiveLane> lanes_;
  std::array<Exchanged, Meeting::slots> exchanged_;
};

}  // namespace raddle::endpoints::collectives
