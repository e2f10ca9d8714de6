// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a window share of each of them: who holds its lock (MPI-4.1 section 12.5.3), and what keeps
// accumulates apart that the processor does not. May lie in memory that processes share; knows no MPI.
#pragma once

#include <atomic>
#include <cstdint>

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

struct alignas(64) WindowControl {
  WindowLock lock;
  platform::SpinLock accumulates;  ///< held while elements are combined in steps that others could see
};

}  // namespace raddle::endpoints
