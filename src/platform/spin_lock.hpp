// SPDX-License-Identifier: BSD-3-Clause
// A lock for a few tens of instructions. Who waits for longer gives the core away between two looks; what is done under
// it must not wait for another thread.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "platform/pause.hpp"

namespace raddle::platform {

/// Four bytes, free when made. Meets Lockable, so std::lock_guard takes it. Not recursive, and fair only as far as
/// those who come again and again give way (try_lock_unless_wanted). May lie in memory that processes share, but a
/// process that dies inside leaves it taken.
///
/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicSpinLock {
 public:
  BasicSpinLock() = default;
  BasicSpinLock(const BasicSpinLock&) = delete;
  BasicSpinLock& operator=(const BasicSpinLock&) = delete;
  ~BasicSpinLock() = default;

  void lock() noexcept {
    if (!try_lock()) wait();
  }

  [[nodiscard]] bool try_lock() noexcept { return !taken_.exchange(true, std::memory_order_acquire); }

  /// For one who comes again and again, and loses nothing by not getting in: while another waits in lock() he gives
  /// way, or the other might never find the lock free.
  [[nodiscard]] bool try_lock_unless_wanted() noexcept { return !wanted() && try_lock(); }

  /// Whether somebody waits in lock().
  [[nodiscard]] bool wanted() const noexcept { return waiting_.load(std::memory_order_relaxed) != 0; }

  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  // Out of line: the way of a lock that is free stays short.
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    constexpr int patience = 64;  // far longer than an owner needs who is running; one who is not needs a CPU
    waiting_.fetch_add(1, std::memory_order_relaxed);
    do {
      for (int turn = 0; taken_.load(std::memory_order_relaxed); ++turn) {
        if (turn < patience) {
          pause();
        } else {
          sched_yield();
        }
      }
    } while (!try_lock());
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

  Atomic<bool> taken_{false};
  Atomic<std::uint16_t> waiting_{0};  ///< threads in lock() that have not got in at once
};

using SpinLock = BasicSpinLock<>;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::uint16_t>::is_always_lock_free);

}  // namespace raddle::platform
