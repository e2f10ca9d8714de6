// SPDX-License-Identifier: BSD-3-Clause
// Barrier for the threads of one process. std::barrier may sleep in the kernel, which would stagger the start of a
// sample.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/spin.hpp"

namespace raddle::bench {

class ThreadBarrier {
 public:
  ThreadBarrier(int threads, std::uint32_t patience) noexcept : threads_(threads), patience_(patience) {}

  /// Returns when all threads have arrived; everything they wrote before is visible after.
  void arrive_and_wait() noexcept {
    const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return;
    }
    spin_until([&] { return phase_.load(std::memory_order_acquire) != phase; }, patience_);
  }

 private:
  const int threads_;
  const std::uint32_t patience_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> phase_{0};
};

}  // namespace raddle::bench
