// SPDX-License-Identifier: BSD-3-Clause
// The memory of operations that have not completed, by their requests. It has a lock of its own, under which nothing
// else is called: whoever frees memory asks, also the dynamic linker, which has locks too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace raddle::check {

/// Bytes of memory that a call reads or writes.
struct MemoryAccess {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;  ///< as `begin`: not known, or none
  bool written = false;
};

/// Whether both have a byte in common.
inline bool overlap(const MemoryAccess& one, const MemoryAccess& other) {
  return one.begin < other.end && other.begin < one.end;
}

namespace in_use {

/// What the operation of a request uses from now on; nothing, if `access` is empty.
void set(std::uint64_t request, const MemoryAccess& access);
/// The requests of all operations that use some of this memory.
std::vector<std::uint64_t> all(const MemoryAccess& access);
/// One of them. Costs one load as long as none uses any. Any thread, also while it is in set(), where nothing is found.
std::optional<std::uint64_t> find(const MemoryAccess& access);

}  // namespace in_use
}  // namespace raddle::check
