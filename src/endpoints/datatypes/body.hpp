// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes of a message lie in a program's memory. Knows no MPI: engines move bytes, not datatypes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "platform/copy_bytes.hpp"

namespace raddle::endpoints {

/// Reads or writes bytes that do not lie in one piece, from the first on. Made for one message, in one direction.
class Scattered {
 public:
  Scattered() = default;
  Scattered(const Scattered&) = delete;
  Scattered& operator=(const Scattered&) = delete;
  virtual ~Scattered() = default;

  /// The next bytes of the message, out of the program's memory.
  virtual void gather(std::span<std::byte> next) = 0;

  /// The next bytes of the message, into the program's memory. They are there when this returns.
  virtual void scatter(std::span<const std::byte> next) = 0;
};

/// What is sent, or the room for what is received.
struct Body {
  std::byte* data = nullptr;       ///< where the bytes lie, if they lie in one piece
  std::size_t bytes = 0;           ///< in all
  Scattered* scattered = nullptr;  ///< not nullptr: they do not, and this is how to reach them
};

/// Puts all bytes of a message into one piece.
inline void copy_out(const Body& body, std::byte* to) {
  if (body.scattered != nullptr) {
    body.scattered->gather({to, body.bytes});
  } else if (body.bytes > 0) {
    std::memcpy(to, body.data, body.bytes);
  }
}

/// Puts bytes of a message where they belong, those from byte `at` of it on. What is beyond the room is dropped.
inline void copy_in(const Body& room, std::size_t at, std::span<const std::byte> bytes) {
  const std::size_t left = room.bytes - std::min(room.bytes, at);
  const std::span fitting = bytes.first(std::min(bytes.size(), left));
  if (room.scattered != nullptr) {
    room.scattered->scatter(fitting);
  } else if (!fitting.empty()) {  // else it may be beyond the room
    platform::copy_bytes(room.data + at, fitting.data(), fitting.size());
  }
}

}  // namespace raddle::endpoints
