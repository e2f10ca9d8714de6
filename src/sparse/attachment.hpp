// SPDX-License-Identifier: BSD-3-Clause
// What Raddle has beside a communicator of the program's to make sparse exchanges on it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sparse/exchange_lane.hpp"
#include "sparse/tuner.hpp"

namespace raddle::sparse {

/// How many threads of this process exchange at this moment, on whatever communicator: each of them needs a core.
/// This is one of them, as long as it lives.
class Exchanging {
 public:
  Exchanging() noexcept { now_.fetch_add(1, std::memory_order_relaxed); }
  Exchanging(const Exchanging&) = delete;
  Exchanging& operator=(const Exchanging&) = delete;
  ~Exchanging() { now_.fetch_sub(1, std::memory_order_relaxed); }

  /// At least the one that asks.
  [[nodiscard]] static int threads() noexcept { return std::max(1, now_.load(std::memory_order_relaxed)); }

 private:
  inline static std::atomic<int> now_{0};
};

/// Something under way that waits for nobody.
class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// @returns whether it is over; then it may be gone
  virtual bool advance() = 0;

 protected:
  ~Task() = default;
};

/// Tells an attachment that has windows from all others of the job: the same for all of its ranks.
struct Identity {
  std::int64_t process = 0;  ///< that of rank 0
  std::int64_t number = 0;   ///< from 1, in that process; older ones have smaller ones

  friend auto operator<=>(const Identity&, const Identity&) = default;
};

class Attachment : public std::enable_shared_from_this<Attachment> {
 public:
  /// That of a communicator. Collective over it when it is asked for first. @throws endpoints::Failure
  static std::shared_ptr<Attachment> of(MPI_Comm comm);
  /// The same, if it is there.
  static std::shared_ptr<Attachment> look(MPI_Comm comm);
  /// Before the MPI ends: of all communicators that the program has left.
  static void end();
  /// One step for all that is under way on any communicator.
  static void progress_all();

  explicit Attachment(MPI_Comm comm);

  /// Whether busy contexts exceed cores, at this moment.
  [[nodiscard]] bool crowded() { return node_map().crowded(Exchanging::threads()); }
  [[nodiscard]] const NodeMap& node_map() { return blocking_.node_map(comm()); }

  /// For what is made together, while nothing else is under way on it.
  [[nodiscard]] MPI_Comm comm() const { return blocking_.comm(); }
  /// Whether ranks may share memory, so that an algorithm that needs it can be had. Collective when first asked.
  [[nodiscard]] bool may_share(SparseAlgorithm algorithm) { return blocking_.prepare(algorithm, comm()); }
  /// Of exchanges that block.
  [[nodiscard]] ExchangeLane& blocking() { return blocking_; }
  /// Those of exchanges that do not. Collective over comm() when it is called first.
  void make_lanes();
  /// Of the next one. @pre make_lanes()
  [[nodiscard]] ExchangeLane& next() { return *lanes_[next_++ % lanes_.size()]; }
  /// Whether exchanges that block may do so within the MPI: there never were others, which would not go on meanwhile.
  [[nodiscard]] bool may_block() const { return next_ == 0; }
  [[nodiscard]] Tuner& tuner() { return tuner_; }

  /// Gives a lane what this algorithm needs. Collective over comm().
  void prepare(ExchangeLane& lane, SparseAlgorithm algorithm);
  /// None: it has no windows. All ranks have to end one that has some at the same time.
  [[nodiscard]] const std::optional<Identity>& identity() const { return identity_; }

  /// Tags of a persistent exchange, on comm(): of no other exchange.
  [[nodiscard]] int take_persistent_tag() { return next_persistent_tag_++; }

  void last(SparseAlgorithm algorithm) { last_ = algorithm; }
  /// Of the exchange that was started last; automatic: there has been none.
  [[nodiscard]] SparseAlgorithm last() const { return last_; }

  /// It is advanced until it is over. Any thread.
  void enter(Task& task);
  [[nodiscard]] bool busy() const { return tasks_entered_.load(std::memory_order_relaxed) != 0; }
  // Whether a thread in the background sees to it: watch() is true for whoever has to ask for one.
  [[nodiscard]] bool watch() { return !watched_.exchange(true); }
  [[nodiscard]] bool still_watched() {
    if (busy()) return true;
    watched_.store(false);
    return busy() && watch();
  }
  /// One step for all that is under way, unless another thread makes one.
  void progress();

 private:
  void advance_all();

  ExchangeLane blocking_;
  std::vector<std::unique_ptr<ExchangeLane>> lanes_;
  std::size_t next_ = 0;
  Tuner tuner_;
  int next_persistent_tag_;
  SparseAlgorithm last_ = SparseAlgorithm::automatic;

  std::mutex stepping_;
  std::mutex entering_;
  std::vector<Task*> entered_;  ///< since the last step
  std::vector<Task*> tasks_;
  std::atomic<std::size_t> tasks_entered_{0};  ///< all of them
  std::atomic<bool> watched_{false};
  std::optional<Identity> identity_;
};

}  // namespace raddle::sparse
