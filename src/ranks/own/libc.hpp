// SPDX-License-Identifier: BSD-3-Clause
// Functions of this directory are exported by the executable under names of the C library: all that is loaded calls
// them. For a thread that is no rank's they go on to the library's own.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

/// Put before each definition of such a function.
#define RADDLE_OWN extern "C" [[gnu::visibility("default")]]

// Types of functions lose what the headers say about their arguments, which is of no use to a call through a pointer.
#pragma GCC diagnostic ignored "-Wignored-attributes"

namespace raddle::ranks {

/// A name as an argument of a template.
template <std::size_t length>
struct Name {
  constexpr Name(const char (&given)[length]) { std::copy_n(given, length, text); }  // NOLINT: it stands for the text
  char text[length];
};

/// The C library's own function of this name. Libraries ask for some before this program's variables are initialised.
template <typename Function, Name name>
Function* libc() {
  static constinit std::atomic<Function*> known{nullptr};
  Function* found = known.load(std::memory_order_relaxed);
  if (found == nullptr) [[unlikely]] {
    found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name.text));
    known.store(found, std::memory_order_relaxed);
  }
  return found;
}

/// Makes it known before main: a child of fork() must not ask the loader, whose lock another thread may have had.
template <typename Function, Name name>
inline Function* const known_early = libc<Function, name>();

}  // namespace raddle::ranks

/// Calls the C library's own function with these arguments.
#define RADDLE_LIBC(function, ...)                                                  \
  (static_cast<void>(&raddle::ranks::known_early<decltype(::function), #function>), \
   raddle::ranks::libc<decltype(::function), #function>())(__VA_ARGS__)
