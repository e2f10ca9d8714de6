// SPDX-License-Identifier: BSD-3-Clause
// What a thread does that waits for another one on another core.
#pragma once

namespace raddle::platform {

/// Leaves the core to its other hardware thread for a moment, tens of nanoseconds; nothing where the architecture has
/// no such instruction.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

}  // namespace raddle::platform
