// SPDX-License-Identifier: BSD-3-Clause
// How processes that each have one lock take all of these locks for one call, and none of them for long otherwise: a
// two-phase commit along a tree. It knows neither MPI nor locks, and is tried by itself.
//
// Up the tree goes that a process and all below it have come (`gathered`). The root, once all have, takes its own lock,
// and asks down the tree (`prepare`). Each process tries to get its lock and says up the tree whether it and all below
// it have theirs (`ready`, `refused`). Down the tree goes what becomes of it: `commit`, or `abort`, after which all
// give their locks back, and the root tries again later.
//
// A process may wait for a lock whose holder has committed, since that one waits for nobody; it refuses where the
// holder has not. So no two calls wait for each other. Calls with the same root take its lock one after the other, and
// never make each other abort.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace raddle::endpoints {

class TwoPhaseCommit {
 public:
  enum class News : std::uint8_t { gathered, prepare, ready, refused, commit, abort };
  struct Message {
    News news;
    std::size_t to;  ///< a position
  };
  /// Of one that asks for the lock of its process.
  enum class Answer : std::uint8_t {
    taken,
    later,   ///< the holder has committed: it will give it back
    refused  ///< the holder has not committed
  };

  /// @param position  of this process, below `processes`; the first one is the root
  TwoPhaseCommit(std::size_t position, std::size_t processes) : position_(position), processes_(processes) {}

  // What happens. Each adds to what is to be sent.

  /// What this process brings is complete.
  void come();
  void receive(News news);
  /// @pre wants_lock()
  void answer(Answer answer);

  /// Whether the process is to try to get its lock now. The root, once it has been aborted, should wait before it does.
  [[nodiscard]] bool wants_lock() const { return phase_ == Phase::prepares && !decided_; }
  [[nodiscard]] bool is_root() const { return position_ == 0; }
  /// Whether it has the lock. It has to give it back after an abort, and when a call that is committed is over.
  [[nodiscard]] bool has_lock() const { return has_lock_; }
  [[nodiscard]] bool committed() const { return phase_ == Phase::committed; }
  /// How long the root waits before it tries again: at random, since another call waits as well.
  static std::chrono::microseconds pause_after(int aborts);

  /// How often the call has been aborted, as far as this process knows.
  [[nodiscard]] int aborts() const { return aborts_; }

  /// Those that are to be sent, in this order between two processes; then there are none.
  [[nodiscard]] std::vector<Message> take_messages();

 private:
  enum class Phase : std::uint8_t { gathers, waits, prepares, voted, committed };
  static constexpr std::size_t branches = 4;

  [[nodiscard]] std::size_t parent() const { return (position_ - 1) / branches; }
  [[nodiscard]] std::size_t children() const;
  void tell_children(News news);
  void gather();
  void vote();
  void abort();

  std::size_t position_;
  std::size_t processes_;
  Phase phase_ = Phase::gathers;
  bool come_ = false;
  std::size_t heard_ = 0;  ///< children: that have gathered, or voted
  bool refused_ = false;   ///< by this process or one below it
  bool decided_ = false;   ///< about its own lock
  bool has_lock_ = false;
  int aborts_ = 0;
  std::vector<Message> messages_;
};

}  // namespace raddle::endpoints
