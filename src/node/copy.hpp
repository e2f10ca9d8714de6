// SPDX-License-Identifier: BSD-3-Clause
// Copies from and to the memory of a process of the node: this one, or another that can be reached.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "node/cross_memory.hpp"
#include "platform/copy_bytes.hpp"

namespace raddle::node {

/// Copies `to.size()` bytes from address `from` of a process. @param process  0: this one
/// @returns false: it cannot be reached, as read_memory says
[[nodiscard]] inline bool copy_from(pid_t process, std::uintptr_t from, std::span<std::byte> to) {
  if (process != 0) return read_memory(process, from, to);
  platform::copy_bytes(to.data(), reinterpret_cast<const std::byte*>(from), to.size());
  return true;
}

/// Copies `from` to address `to` of a process. Otherwise as copy_from.
[[nodiscard]] inline bool copy_to(pid_t process, std::uintptr_t to, std::span<const std::byte> from) {
  if (process != 0) return write_memory(process, to, from);
  platform::copy_bytes(reinterpret_cast<std::byte*>(to), from.data(), from.size());
  return true;
}

}  // namespace raddle::node
