// SPDX-License-Identifier: BSD-3-Clause
// Memory that the program gives back while an operation uses it. The C library's functions are stood before; those of
// other allocators, and C++'s, end there.
#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "check/memory_in_use.hpp"
#include "check/requests.hpp"
#include "check/site.hpp"
#include "check/thread.hpp"

namespace raddle::check {
namespace {

/// The next function of this name. The dynamic linker may free memory while it looks.
template <typename Function>
class Next {
 public:
  explicit constexpr Next(const char* name) : name_(name) {}

  /// @returns nullptr: this thread is looking for it
  Function* get() {
    if (Function* const found = found_.load(std::memory_order_acquire)) return found;
    if (looking) return nullptr;
    looking = true;
    const auto found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
    looking = false;
    found_.store(found, std::memory_order_release);
    return found;
  }

 private:
  inline static thread_local constinit bool looking = false;
  const char* name_;
  std::atomic<Function*> found_ = nullptr;
};

constinit Next<void(void*)> next_free("free");
constinit Next<void*(void*, std::size_t)> next_realloc("realloc");
constinit Next<int(void*, std::size_t)> next_munmap("munmap");

MemoryAccess block(void* memory) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  return {begin, begin + malloc_usable_size(memory), true};
}

/// Where the program has called, if it gives memory back that is in use.
struct GivenBack {
  MemoryAccess memory;
  const void* caller;
};

/// @returns no caller if nothing is wrong
GivenBack given_back(const MemoryAccess& memory, const void* caller) {
  if (!on.load(std::memory_order_relaxed) || !in_use::find(memory)) return {memory, nullptr};
  return {memory, caller_in_program(caller)};
}

void tell(const GivenBack& what, std::uint32_t function) {
  if (what.caller == nullptr) return;
  tell_freed(what.memory, {function, what.caller, me().index});
}

}  // namespace
}  // namespace raddle::check

extern "C" {

[[gnu::visibility("default")]] void free(void* memory) noexcept {
  using namespace raddle::check;
  const auto next = next_free.get();
  if (next == nullptr) return;  // some bytes of the dynamic linker's, once
  if (memory != nullptr) tell(given_back(block(memory), __builtin_return_address(0)), other_functions::free);
  next(memory);
}

[[gnu::visibility("default")]] void* realloc(void* memory, std::size_t bytes) noexcept {
  using namespace raddle::check;
  const auto next = next_realloc.get();
  if (next == nullptr) return nullptr;
  if (memory == nullptr) return next(memory, bytes);
  const GivenBack what = given_back(block(memory), __builtin_return_address(0));
  void* const moved = next(memory, bytes);
  if (moved != memory && (moved != nullptr || bytes == 0)) tell(what, other_functions::realloc);
  if (moved == memory && what.caller != nullptr) {
    const MemoryAccess behind{what.memory.begin + bytes, what.memory.end, true};
    if (behind.begin < behind.end && in_use::find(behind)) tell({behind, what.caller}, other_functions::realloc);
  }
  return moved;
}

[[gnu::visibility("default")]] int munmap(void* memory, std::size_t bytes) noexcept {
  using namespace raddle::check;
  const auto next = next_munmap.get();
  if (next == nullptr) return -1;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  tell(given_back({begin, begin + bytes, true}, __builtin_return_address(0)), other_functions::munmap);
  return next(memory, bytes);
}
}
