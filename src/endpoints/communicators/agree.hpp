// SPDX-License-Identifier: BSD-3-Clause
// How ranks of a communicator that make a call together learn what each of them has given, and how one thread of each
// process then does what is to be done once in a process.
//
// The endpoints of a process meet; when all that take part are there, the processes concerned tell each other along a
// tree what theirs have given, and take their turns (communicator.hpp) in a two-phase commit. Nobody blocks in the MPI
// meanwhile. Messages go over Communicator::processes() with a tag of their own, and whoever waits takes in all that
// come: a message names the call it belongs to, since several may be under way.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "endpoints/communicators/two_phase_commit.hpp"

namespace raddle::endpoints {

class Communicator;
struct Newcomer;

/// Tells a call from all others that are under way on a communicator: made by these functions, alike on all its ranks.
using CallKey = std::vector<int>;
/// The calls of all ranks that have this number, in the order in which each rank makes them.
CallKey call_of_all(int number);
/// Calls of some ranks, told apart by their tags and by who they are.
CallKey call_of_some(int tag, const std::vector<int>& ranks);

/// The same by a text that they all give, for calls that the program makes without a communicator.
CallKey call_of_some(std::string_view text, const std::vector<int>& ranks);

/// What a rank tells all others.
struct Given {
  int error_class = MPI_SUCCESS;  ///< of what is wrong with its arguments
  int colour = 0;
  int key = 0;
  int unused = 0;  ///< no byte without a value travels
  std::uint64_t digest = 0;
};

/// One call.
class Agreement {
 public:
  /// Those who make the call.
  [[nodiscard]] const std::vector<int>& ranks() const { return ranks_; }
  // Once it is known:
  [[nodiscard]] const Given& given(int rank) const { return given_[index_of(rank)]; }
  /// A number that all processes have for it, and that no other call on the communicator has at that time.
  [[nodiscard]] int ticket() const { return ticket_; }
  /// Those of this process, by rank.
  [[nodiscard]] const std::map<int, Newcomer*>& newcomers() const { return newcomers_; }

  /// Whether the caller is the first one to ask: he does what is to be done once, then calls finish(). Until then it is
  /// this call's turn to make communicators of the MPI's.
  [[nodiscard]] bool claim() { return !claimed_.exchange(true, std::memory_order_relaxed); }
  void finish();
  /// By who does it: what follows makes no communicator of these processes, and may wait for others.
  void end_turn() const;
  [[nodiscard]] bool finished() const { return finished_.load(std::memory_order_acquire); }

 private:
  friend class Agreements;

  struct Outgoing {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  Agreement(const Communicator& communicator, CallKey key);

  [[nodiscard]] std::size_t index_of(int rank) const;
  void keep(int rank, const Given& given);

  CallKey key_;
  std::vector<int> ranks_;
  std::vector<int> sorted_;     ///< the same; empty: they are all, in their order
  std::vector<int> processes_;  ///< concerned, by seniority: their places in the tree
  std::size_t local_ = 0;       ///< ranks of this process
  std::vector<Given> given_;    ///< as sorted_
  std::vector<int> known_;      ///< the ranks of this process and of those below it, of which that is known
  std::map<int, Newcomer*> newcomers_;
  TwoPhaseCommit commit_;
  std::chrono::steady_clock::time_point not_before_;  ///< the next try, if one has been aborted
  int ticket_ = 0;
  std::list<Outgoing> outgoing_;      ///< messages that have not left
  std::atomic<bool> settled_{false};  ///< known, and nobody waits for messages of this process
  std::atomic<bool> claimed_{false};
  mutable bool turn_ended_ = false;
  std::atomic<bool> finished_{false};
};

/// The calls that are under way on a communicator, in this process.
class Agreements {
 public:
  explicit Agreements(const Communicator& communicator) : communicator_(communicator) {}
  Agreements(const Agreements&) = delete;
  Agreements& operator=(const Agreements&) = delete;

  struct Entrance {
    std::shared_ptr<Agreement> agreement;
    bool last;  ///< of its process
  };
  /// A rank of this process makes a call. @param newcomer  stays until the call is finished
  Entrance enter(const CallKey& key, int rank, const Given& given, Newcomer& newcomer);

  /// One look at what others have told. @returns whether everything is known of this call
  bool step(Agreement& agreement);

 private:
  Agreement& agreement_of(const CallKey& key);
  void take_in_messages();
  void take_in(const std::vector<std::byte>& message);
  void ask_for_turn(Agreement& agreement);
  template <typename Event>
  void advance(Agreement& agreement, Event&& event);
  void send(TwoPhaseCommit::News news, int process, Agreement& agreement);
  void complete(Agreement& agreement);

  const Communicator& communicator_;
  std::mutex guard_;
  std::map<CallKey, std::shared_ptr<Agreement>> open_;  ///< that have not come to their end
  unsigned tickets_ = 0;
};

}  // namespace raddle::endpoints
