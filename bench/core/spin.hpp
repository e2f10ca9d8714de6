// SPDX-License-Identifier: BSD-3-Clause
// How a thread waits for another: pause while a CPU is its own, yield when contexts outnumber CPUs.
#pragma once

#include <sched.h>

#include <cstdint>

namespace raddle::bench {

inline void cpu_pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

/// Spins until `ready()`; yields after `patience` pauses, so a waiter never holds the CPU its partner needs for long.
template <typename Ready>
void spin_until(Ready&& ready, std::uint32_t patience) {
  for (std::uint32_t turn = 0; !ready(); ++turn) {
    if (turn < patience) {
      cpu_pause();
    } else {
      sched_yield();
    }
  }
}

inline constexpr std::uint32_t patient = 1U << 14U;  ///< about 0.5 ms: every context has a CPU
inline constexpr std::uint32_t impatient = 0;        ///< oversubscribed: yield at once

}  // namespace raddle::bench
