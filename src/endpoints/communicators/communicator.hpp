// SPDX-License-Identifier: BSD-3-Clause
// An endpoints communicator as its endpoints in one process share it: who the ranks are and where.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/communicators/agree.hpp"
#include "endpoints/groups/group_algebra.hpp"
#include "node/machine.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

// The value of MPI_TAG_UB (MPI-4.1 section 9.1.2).

/// As the MPI says it for `comm`, or else for its world.
inline int greatest_tag_of(MPI_Comm comm) {
  int* value = nullptr;
  int found = 0;
  platform::must("MPI_Comm_get_attr", PMPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&value), &found));
  if (found == 0)
    platform::must("MPI_Comm_get_attr",
                   PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
  return found != 0 ? *value : 32767;  // what every MPI has at least
}

class Communicator;
class Endpoint;
namespace collectives {
class Context;
}

/// The two groups of an intercommunicator (MPI-4.1 section 7.6). Its ranks are those of both, the first group's in
/// front; what the program calls a rank is one of them within its group.
struct Groups {
  int first = 0;  ///< how many ranks the first has; 0: there is one group only
  /// The group by itself, for what only its ranks do together; nullptr if this process has no ranks in it.
  std::array<std::unique_ptr<Communicator>, 2> sides{};
};

/// Ranks that follow one another.
struct RankSpan {
  int first = 0;
  int size = 0;
};

/// Where a rank is.
struct Place {
  int process;  ///< as a rank of Communicator::processes()
  int index;    ///< among the endpoints of that process in this communicator, in the order of their ranks
};

class Communicator {
 public:
  /// @param processes for Raddle alone, freed with this: those that have endpoints here; MPI_COMM_NULL if this process
  ///   is the only one
  /// @param places    by rank
  /// @param members   by rank
  Communicator(MPI_Comm processes, std::vector<Place> places, Members members, Groups groups = {});
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  [[nodiscard]] int size() const { return static_cast<int>(places_.size()); }
  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

  [[nodiscard]] bool has_two_groups() const { return groups_.first != 0; }
  /// Which group a rank is in: 0 or 1.
  [[nodiscard]] int side_of(int rank) const { return has_two_groups() && rank >= groups_.first ? 1 : 0; }
  /// The ranks of a group.
  [[nodiscard]] RankSpan side(int which) const {
    if (!has_two_groups()) return {0, size()};
    return which == 0 ? RankSpan{0, groups_.first} : RankSpan{groups_.first, size() - groups_.first};
  }
  /// Those of the group of a rank, and those with which it exchanges messages.
  [[nodiscard]] RankSpan group_of(int rank) const { return side(side_of(rank)); }
  [[nodiscard]] RankSpan peers_of(int rank) const { return side(has_two_groups() ? 1 - side_of(rank) : 0); }
  [[nodiscard]] Members members_of_side(int which) const {
    const auto [first, size] = side(which);
    return {members_.begin() + first, members_.begin() + first + size};
  }
  /// What the program calls this rank.
  [[nodiscard]] int rank_in_group(int rank) const { return rank - group_of(rank).first; }
  /// A group by itself. @pre this process has ranks in it
  [[nodiscard]] const Communicator& alone(int which) const { return *groups_.sides[static_cast<std::size_t>(which)]; }

  // What others descend from: made by MPIX_Comm_create_endpoints, or for the MPI_COMM_SELF of a rank. It stays as long
  // as one of its descendants. Ranks of different descendants find each other there.

  /// Before it has endpoints: nothing that it descends from is known.
  void found();
  void descend_from(Communicator& parent);
  [[nodiscard]] Communicator& origin() const { return *origin_; }
  /// The same for all processes that have endpoints in it, and for no other communicator that they have.
  [[nodiscard]] std::uint64_t name() const { return name_; }
  /// Whether an origin of this name has one process: others may give the same name to theirs.
  [[nodiscard]] static bool is_of_one_process(std::uint64_t name) { return (name & of_one_process) != 0; }
  /// The origin of this name; nullptr: this process has none.
  [[nodiscard]] static Communicator* origin_named(std::uint64_t name);
  /// Its processes on this machine, known by their seniority(); nullptr: nobody has asked.
  [[nodiscard]] const node::Machine* machine() const { return machine_.get(); }
  /// Before it has endpoints.
  void know(std::unique_ptr<const node::Machine> machine) { machine_ = std::move(machine); }
  /// By index, of this process.
  [[nodiscard]] Endpoint& endpoint(int index) const { return *endpoints_[static_cast<std::size_t>(index)]; }
  void enrol(int index, Endpoint& endpoint);

  [[nodiscard]] MPI_Comm processes() const { return processes_; }
  [[nodiscard]] int process_count() const { return static_cast<int>(first_of_.size()) - 1; }
  /// This process's rank among them.
  [[nodiscard]] int process() const { return process_; }
  /// By it processes are sorted where all have to agree on an order: the same for each communicator that has the
  /// process.
  [[nodiscard]] std::uint64_t seniority(int process) const { return seniority_[static_cast<std::size_t>(process)]; }

  /// The ranks of a process, by index.
  [[nodiscard]] std::span<const int> ranks_of(int process) const {
    const auto at = static_cast<std::size_t>(process);
    return std::span(ranks_).subspan(first_of_[at], first_of_[at + 1] - first_of_[at]);
  }
  [[nodiscard]] std::span<const int> own_ranks() const { return ranks_of(process_); }

  /// Of its collectives. @pre this process has endpoints in it
  [[nodiscard]] collectives::Context& collectives() const { return *collectives_; }

  /// Whether the ranks of each process follow one another, and those of the next process follow them: then what is
  /// combined inside processes, and then over them in their order, is combined in the order of ranks.
  [[nodiscard]] bool in_order() const { return in_order_; }

  /// The calls that its ranks are making together.
  [[nodiscard]] Agreements& agreements() { return agreements_; }

  // Calls that have not ended may need it when its last endpoint has been freed already.
  void hold() { held_.fetch_add(1, std::memory_order_relaxed); }
  void let_go() { held_.fetch_sub(1, std::memory_order_release); }
  [[nodiscard]] bool held() const { return held_.load(std::memory_order_acquire) != 0; }

 private:
  static constexpr std::uint64_t of_one_process = std::uint64_t{1} << 63U;

  MPI_Comm processes_;
  std::vector<Place> places_;
  Members members_;
  Groups groups_;
  Communicator* origin_ = nullptr;  ///< nullptr: it has none, being a side
  std::uint64_t name_ = 0;
  std::unique_ptr<const node::Machine> machine_;
  std::vector<Endpoint*> endpoints_;
  std::vector<int> ranks_;                  ///< by process, and then in order
  std::vector<std::uint32_t> first_of_{0};  ///< by process: where its ranks begin; and where the last one's end
  std::vector<std::uint64_t> seniority_;
  int process_ = 0;
  bool in_order_ = true;
  std::unique_ptr<collectives::Context> collectives_;
  Agreements agreements_{*this};
  std::atomic<int> held_{0};
};

// Whose turn it is in this process to make communicators of the MPI's.
//
// Threads of two processes may make communicators at the same time, and MPI lets them; but there are MPIs (Open
// MPI 5.0) whose agreement on a context then stays stuck now and then. So Raddle makes them one after the other: who
// makes some takes the turn in all processes concerned, or in none (two_phase_commit.hpp).

class Turn {
 public:
  /// Takes it for `owner`, if it is free.
  static TwoPhaseCommit::Answer ask(const void* owner) {
    const void* holder = nullptr;
    if (owner_.compare_exchange_strong(holder, owner, std::memory_order_acquire)) return TwoPhaseCommit::Answer::taken;
    return committed_.load(std::memory_order_relaxed) == holder ? TwoPhaseCommit::Answer::later
                                                                : TwoPhaseCommit::Answer::refused;
  }
  /// `owner` has it in all processes. @pre it was taken
  static void commit(const void* owner) { committed_.store(owner, std::memory_order_relaxed); }
  /// @pre it was taken
  static void give_back() {
    committed_.store(nullptr, std::memory_order_relaxed);
    owner_.store(nullptr, std::memory_order_release);
  }

 private:
  static inline std::atomic<const void*> owner_{nullptr};
  static inline std::atomic<const void*> committed_{nullptr};
};

// The turn to make communicators, in all processes of a communicator.

/// Has the turn in each process of a new communicator, for as long as it lives: proxies make one
/// communicator after the other, so what two threads make at the same time must not reach them in different orders.
/// Where there is one process nothing is to be agreed on.
class CommonTurn {
 public:
  /// Collective over its processes. @pre no derivation from it has begun
  explicit CommonTurn(const Communicator& communicator);
  /// @param all  collective over the processes concerned: told whether this one has it, returns whether all have.
  /// Called
  ///             until they have
  explicit CommonTurn(const std::function<bool(bool)>& all);
  CommonTurn(const CommonTurn&) = delete;
  CommonTurn& operator=(const CommonTurn&) = delete;
  ~CommonTurn();

 private:
  void take(const std::function<bool(bool)>& all);

  bool taken_;
};

// Communicators for processes of an endpoints communicator, made beside its collectives: those are in an order of their
// own, so nothing that is collective over its processes may be called by the way.

/// Collective: a name that these processes have in common for the communicator, and that no other one has, earlier or
/// later; 0 for MPI_COMM_NULL.
std::uint64_t name_of(MPI_Comm processes);

/// Collective over these processes of the parent's: a communicator for them, which has the order of the list.
/// @param ticket the same for all, and for no other call that is under way
/// @returns MPI_COMM_NULL for a process alone @throws Failure the MPI has no communicators left
MPI_Comm processes_of(const Communicator& parent, const std::vector<int>& processes, int ticket);
/// The same for all of them.
MPI_Comm processes_of(const Communicator& parent, int ticket);

}  // namespace raddle::endpoints
