// SPDX-License-Identifier: BSD-3-Clause
// A lock under which its owner may be inside the MPI, and wait there for another thread's lock: who waits for this one
// spins, gives the core away, and then sleeps. Known as an adaptive mutex.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "platform/pause.hpp"

namespace raddle::platform {

/// Whether threads that wait long for a lock sleep. Then each unlock() is a full barrier.
enum class WhenLong : std::uint8_t { yield, sleep };

/// Meets Lockable, so std::lock_guard takes it. Not recursive. For threads of one process. As with SpinLock, those who
/// come again and again give way by try_lock_unless_wanted().
class AdaptiveLock {
 public:
  explicit AdaptiveLock(WhenLong when_long = WhenLong::sleep) : sleeps_(when_long == WhenLong::sleep) {}
  AdaptiveLock(const AdaptiveLock&) = delete;
  AdaptiveLock& operator=(const AdaptiveLock&) = delete;
  ~AdaptiveLock() = default;

  void lock() noexcept {
    if (!try_lock()) wait();
  }

  [[nodiscard]] bool try_lock() noexcept { return taken_.exchange(1, std::memory_order_acquire) == 0; }

  [[nodiscard]] bool try_lock_unless_wanted() noexcept { return !wanted() && try_lock(); }

  [[nodiscard]] bool sleeps() const noexcept { return sleeps_; }
  /// unlock() of one that does not sleep: a store.
  void unlock_at_once() noexcept { taken_.store(0, std::memory_order_release); }

  /// Whether somebody waits in lock().
  [[nodiscard]] bool wanted() const noexcept { return waiting_.load(std::memory_order_relaxed) != 0; }

  void unlock() noexcept {
    if (sleeps_) [[unlikely]] {
      wake();
    } else {
      unlock_at_once();
    }
  }

 private:
  // Out of line: the way of a lock that is free, and of one that only yields, stays short.
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    constexpr int spins = 64;
    constexpr int yields = 32;  // with more threads than cores the owner comes to its end in one of these
    waiting_.fetch_add(1, std::memory_order_relaxed);
    do {
      for (int turn = 0; taken_.load(std::memory_order_relaxed) != 0; ++turn) {
        if (turn < spins) {
          pause();
        } else if (!sleeps_ || turn < spins + yields) {
          sched_yield();
        } else {
          taken_.wait(1, std::memory_order_relaxed);
        }
      }
    } while (!try_lock());
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  [[gnu::noinline]] void wake() noexcept {
    // Not only released: whether somebody sleeps must be asked after that.
    taken_.store(0, std::memory_order_seq_cst);
    taken_.notify_one();
  }

  std::atomic<std::uint32_t> taken_{0};
  std::atomic<std::uint16_t> waiting_{0};  ///< threads in lock() that have not got in at once
  const bool sleeps_;
};

}  // namespace raddle::platform
