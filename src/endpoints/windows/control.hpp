// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a window share of each of them: who holds its lock (MPI-4.1 section 12.5.3), who has told it of an
// epoch (section 12.5.2), and what keeps accumulates apart that the processor does not. May lie in memory that
// processes share; knows no MPI.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "platform/spin_lock.hpp"

namespace raddle::endpoints {

/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicWindowLock {
 public:
  /// @returns whether the caller has it now
  [[nodiscard]] bool try_exclusive() noexcept {
    std::int32_t untaken = 0;
    return holders_.compare_exchange_strong(untaken, exclusively, std::memory_order_acquire, std::memory_order_relaxed);
  }
  [[nodiscard]] bool try_shared() noexcept {
    std::int32_t holders = holders_.load(std::memory_order_relaxed);
    while (holders != exclusively) {
      if (holders_.compare_exchange_weak(holders, holders + 1, std::memory_order_acquire, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  [[nodiscard]] bool try_lock(bool exclusive) noexcept { return exclusive ? try_exclusive() : try_shared(); }

  /// @pre the caller has it so
  void release(bool exclusive) noexcept {
    if (exclusive)
      holders_.store(0, std::memory_order_release);
    else
      holders_.fetch_sub(1, std::memory_order_release);
  }

 private:
  static constexpr std::int32_t exclusively = -1;

  Atomic<std::int32_t> holders_{0};  ///< how many share it, or `exclusively`
};

using WindowLock = BasicWindowLock<>;

/// Set by one rank, taken by another: it is never set again before it has been taken.
class Told {
 public:
  void tell() noexcept { told_.store(true, std::memory_order_release); }
  [[nodiscard]] bool is() const noexcept { return told_.load(std::memory_order_acquire); }
  void take() noexcept { told_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> told_{false};
};
static_assert(std::atomic<bool>::is_always_lock_free && sizeof(Told) == 1);

/// With room behind it: for each rank that reaches it, whether that has posted (MPI_Win_post) for its owner to start.
struct alignas(64) WindowControl {
  WindowLock lock;
  platform::SpinLock accumulates;  ///< held while elements are combined in steps that others could see
  /// How many have completed their access (MPI_Win_complete) in the owner's exposure epoch. It takes all when its epoch
  /// ends, before which nobody begins another one.
  std::atomic<std::uint32_t> completes{0};

  /// Bytes of one that so many ranks reach.
  [[nodiscard]] static constexpr std::size_t bytes(std::size_t ranks) {
    return sizeof(WindowControl) +
           (ranks + alignof(WindowControl) - 1) / alignof(WindowControl) * alignof(WindowControl);
  }
  /// @param memory  bytes(ranks), aligned as a control is
  static WindowControl* make(std::byte* memory, std::size_t ranks) {
    for (std::size_t i = 0; i < ranks; ++i) new (memory + sizeof(WindowControl) + i) Told;
    return new (memory) WindowControl;
  }
  /// Of the rank that is number `number` among those who reach it.
  [[nodiscard]] Told& post(std::size_t number) {
    return *std::launder(reinterpret_cast<Told*>(reinterpret_cast<std::byte*>(this) + sizeof(WindowControl) + number));
  }
};

}  // namespace raddle::endpoints
