// SPDX-License-Identifier: BSD-3-Clause
// Functions of this directory are exported by the executable under names of the C library: all that is loaded calls
// them. For a thread that is no rank's they go on to the library's own.
#pragma once

#include <dlfcn.h>

/// Put before each definition of such a function.
#define RADDLE_OWN extern "C" [[gnu::visibility("default")]]

namespace raddle::ranks {

/// The C library's own function of this name.
template <typename Function>
Function* libc(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace raddle::ranks

/// Calls the C library's own function with these arguments.
#define RADDLE_LIBC(name, ...)                                                 \
  ([&]() -> decltype(auto) {                                                   \
    static auto* const of_libc = raddle::ranks::libc<decltype(::name)>(#name); \
    return of_libc(__VA_ARGS__);                                               \
  }())
