// SPDX-License-Identifier: BSD-3-Clause
// Each call by itself, if _RADDLE_PROFILE_TRACE says how many bytes it may take: a second file, of which threads take
// pieces as they need them. When it is full the calls that come are only counted.
#pragma once

#include <cstdint>

#include "profile/local.hpp"

namespace raddle::profile {

inline constexpr char trace_magic[9] = "RADDLETR";

struct Event {
  std::uint64_t began;
  std::uint64_t took;
  std::uint32_t function;
  std::uint32_t communicator;  ///< its number, plus 1
  std::uint64_t bytes;
  std::uint64_t lock;  ///< ticks
  std::int32_t peer;
  std::uint32_t reserved;
};

/// What a piece of the file begins with.
struct Piece {
  std::uint32_t thread;  ///< plus 1; 0: nobody's yet
  std::uint32_t reserved;
  std::uint64_t events;
};

struct TraceArea {
  char magic[8];
  std::uint32_t version;
  std::uint32_t event_bytes;
  std::uint64_t piece_bytes;
  std::uint64_t pieces;  ///< that there is room for, after this page
  std::atomic<std::uint64_t> taken;
};

extern bool trace_is_on;

/// Beside the profile of this name.
void begin_trace(const char* profile);

[[gnu::cold]] void trace(Local& local, const Event& event);

}  // namespace raddle::profile
