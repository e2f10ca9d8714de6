// SPDX-License-Identifier: BSD-3-Clause
// What a thread does that waits for another one on another core.
#pragma once

#include <cstddef>

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

// Lines that will be needed soon. A hint: any address will do.

/// The line will be written: fetches it for this core alone. What the compiler makes of __builtin_prefetch for x86-64
/// in general fetches it to be shared, and the store then asks the other core once more.
inline void prefetch_to_write(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

/// The same of so many bytes, which others have read long ago: they come back while this thread waits. Nothing if they
/// are many, which would push out of the cache what is still needed.
inline void prefetch_lines_to_write(const std::byte* begin, std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  constexpr std::size_t most = std::size_t{4} * 1024;
  for (std::size_t at = 0; bytes <= most && at < bytes; at += line) prefetch_to_write(begin + at);
}

}  // namespace raddle::platform
