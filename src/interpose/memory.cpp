// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of memory that proxies see (engines/proxy/heap.hpp). Without proxies it is the C library's.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "engines/proxy/proxies.hpp"
#include "interpose/always.hpp"
#include "interpose/wrapper.hpp"
#include "raddle/raddle.h"

RADDLE_ENTRY void* Raddle_malloc(size_t bytes) try {
  raddle::proxy::Proxies* const proxies = raddle::proxy::Proxies::get();
  return proxies != nullptr ? proxies->heap().allocate(bytes) : std::malloc(bytes);
} catch (...) {
  return nullptr;
}

RADDLE_ENTRY void* Raddle_memalign(size_t alignment, size_t bytes) try {
  if (!std::has_single_bit(alignment)) return nullptr;
  raddle::proxy::Proxies* const proxies = raddle::proxy::Proxies::get();
  if (proxies != nullptr) return proxies->heap().allocate(bytes, alignment);
  void* memory = nullptr;
  const size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return posix_memalign(&memory, least, bytes) == 0 ? memory : nullptr;
} catch (...) {
  return nullptr;
}

RADDLE_ENTRY void Raddle_free(void* memory) {
  if (!raddle::interpose::always::free_shared_memory(memory)) std::free(memory);
}
