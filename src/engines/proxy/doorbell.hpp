// SPDX-License-Identifier: BSD-3-Clause
// How a proxy sleeps while there is nothing to do, and is woken: in memory that it shares with those who wake it. Knows
// no MPI.
//
// Who wakes first publishes what there is to do, then looks whether somebody sleeps; who sleeps first says so, then
// looks whether there is something to do. Both with a fence between the two, so one of them sees the other.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace raddle::proxy {

/// Sleeps and wakes in the kernel. Tests have another one.
struct Futex {
  static void wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::chrono::nanoseconds most) noexcept {
    const timespec limit{most.count() / 1'000'000'000, most.count() % 1'000'000'000};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
  }
  static void wake(std::atomic<std::uint32_t>& word) noexcept {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
};

template <template <typename> class Atomic = std::atomic, typename Kernel = Futex>
class alignas(64) BasicDoorbell {
 public:
  /// After what there is to do has been published.
  void ring() noexcept {
    if (asleep_.fetch_or(0, std::memory_order_acq_rel) == 0) [[likely]]
      return;
    rings_.fetch_add(1, std::memory_order_release);
    Kernel::wake(rings_);
  }

  /// Whether somebody sleeps, who might do something for a caller that waits.
  [[nodiscard]] bool sleeps() const noexcept { return asleep_.load(std::memory_order_relaxed) != 0; }

  /// Until it is rung, or so long. @param idle  whether there is still nothing to do. @returns false: so long
  template <typename Idle>
  bool sleep(std::chrono::nanoseconds most, Idle&& idle) {
    const std::uint32_t seen = rings_.load(std::memory_order_acquire);
    asleep_.exchange(1, std::memory_order_acq_rel);
    const bool still = idle();
    if (still) Kernel::wait(rings_, seen, most);
    asleep_.store(0, std::memory_order_relaxed);
    return !still || rings_.load(std::memory_order_acquire) != seen;
  }

 private:
  Atomic<std::uint32_t> rings_{0};
  Atomic<std::uint32_t> asleep_{0};
};

using Doorbell = BasicDoorbell<>;

}  // namespace raddle::proxy
