// SPDX-License-Identifier: BSD-3-Clause
// Where each thread is: which call it entered last and whom it waits for there. Written in timed loops, so it costs a
// few plain stores; read by the watchdog when nothing moves any more.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "core/team.hpp"

namespace raddle::bench {

/// One thread's. Its owner writes, the watchdog reads.
class alignas(64) Whereabouts {
 public:
  static constexpr int nobody = -1;

  void enter(const char* call, int peer = nobody, int tag = 0) noexcept {
    call_.store(call, std::memory_order_relaxed);
    peer_.store(peer, std::memory_order_relaxed);
    tag_.store(tag, std::memory_order_relaxed);
  }
  /// E.g. "in MPI_Recv from or to rank 1, tag 3".
  [[nodiscard]] std::string text() const;

 private:
  std::atomic<const char*> call_{nullptr};
  std::atomic<int> peer_{nobody};
  std::atomic<int> tag_{0};
};

/// All threads of this process that take part.
class Board {
 public:
  static Board& instance();

  /// Gives the calling thread a slot; its own until it leaves.
  void sit(const Seat& seat);
  void leave();
  /// What all are at, e.g. "validation of latency, variant thread", and that something has moved.
  void stage(std::string what);
  void moved() noexcept { moves_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t moves() const noexcept { return moves_.load(std::memory_order_relaxed); }
  /// The stage and a line for each thread.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct ThreadSlot {
    Seat seat{};
    bool taken = false;
    Whereabouts where;
  };
  mutable std::mutex guard_;
  std::deque<ThreadSlot> slots_;  // never moved: threads hold pointers into it
  std::string stage_;
  std::atomic<std::uint64_t> moves_{0};
};

/// The calling thread's; one that nobody reads for a thread that has not sat down.
Whereabouts& here() noexcept;

}  // namespace raddle::bench
