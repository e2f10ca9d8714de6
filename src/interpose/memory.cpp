// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of memory of an engine's own, such as that which proxies see. Without one it is the C library's.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "engines/engine.hpp"
#include "interpose/always.hpp"
#include "interpose/wrapper.hpp"
#include "raddle/raddle.h"

RADDLE_ENTRY void* Raddle_malloc(size_t bytes) try {
  raddle::engines::Engine* const engine = raddle::engines::with_memory();
  return engine != nullptr ? engine->allocate(bytes, raddle::engines::Engine::usual_alignment) : std::malloc(bytes);
} catch (...) {
  return nullptr;
}

RADDLE_ENTRY void* Raddle_memalign(size_t alignment, size_t bytes) try {
  if (!std::has_single_bit(alignment)) return nullptr;
  if (raddle::engines::Engine* const engine = raddle::engines::with_memory()) return engine->allocate(bytes, alignment);
  void* memory = nullptr;
  const size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return posix_memalign(&memory, least, bytes) == 0 ? memory : nullptr;
} catch (...) {
  return nullptr;
}

RADDLE_ENTRY void Raddle_free(void* memory) {
  if (!raddle::interpose::always::free_shared_memory(memory)) std::free(memory);
}
