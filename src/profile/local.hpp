// SPDX-License-Identifier: BSD-3-Clause
// What a thread keeps for itself: nothing of it is read by others.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "profile/layout.hpp"

namespace raddle::profile {

/// A handle, of whatever type the MPI has for it.
template <typename Handle>
[[gnu::always_inline]] inline std::uint64_t bits(Handle handle) {
  static_assert(sizeof handle <= 8);  // NOLINT(bugprone-sizeof-expression): some are pointers
  std::uint64_t made = 0;
  std::memcpy(&made, &handle, sizeof handle);  // NOLINT(bugprone-sizeof-expression)
  return made;
}

/// Stands for the handle of calls that are about no communicator.
inline constexpr std::uint64_t no_communicator = ~0ULL;

/// A request that a thread has made, until it has completed.
struct Note {
  std::uint64_t request;  ///< 0: none
  std::uint64_t number;   ///< in the stream; ~0: no message has got one
  std::uint64_t posted;
  std::uint64_t bytes;
  Stream* stream;  ///< nullptr: it receives from anybody
  std::uint16_t communicator;
  std::uint8_t persistent;
  std::uint8_t receives;
  std::uint8_t synchronous;
};

struct alignas(64) Local {
  ThreadArea* area = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t countdown = 1;   ///< calls until one is looked at closely
  std::uint32_t until_cpu = 1;   ///< of these, until one is asked for its CPU time
  std::uint64_t sampled = 0;     ///< when the last one was
  std::uint64_t lock_ticks = 0;  ///< of the call that is underway
  std::uint64_t lock_waits = 0;
  std::uint64_t random = 0;
  std::uint64_t usage = 0;  ///< when the system was asked last what the thread has used
  int cpu = -1;
  std::uint16_t number = 0;
  enum class Room : std::uint8_t { unknown, there, none };
  Room messages = Room::unknown;  ///< for what is known of messages
  std::uint32_t epoch = 0;        ///< when what follows was right
  std::uint32_t types_epoch = 0;

  /// Where calls of a function on a communicator are counted, by both.
  struct CachedRow {
    std::uint64_t communicator = 0;
    Row* row = nullptr;
    std::uint32_t function = 0;
    std::uint32_t place = 0;  ///< number of the communicator, plus 1
  };
  CachedRow near[256];

  struct Size {
    std::uint64_t datatype = 0;
    std::int64_t bytes = -1;  ///< -1: not known
  };
  Size type[32];

  Note notes[256];

  struct Chunk {
    void* next = nullptr;
    void* end = nullptr;
    void* piece = nullptr;
  };
  Chunk trace;  ///< where the next event goes
};

/// Of the calling thread; nullptr: it has not called the MPI while anything was recorded.
[[gnu::visibility("hidden"), gnu::tls_model("initial-exec")]] extern thread_local constinit Local* mine;

extern ProcessArea* process;                    ///< nullptr: nothing is recorded
extern std::atomic<std::uint32_t> epoch;        ///< changes when a communicator's handle may get another meaning
extern std::atomic<std::uint32_t> types_epoch;  ///< the same of datatypes
extern std::uint64_t between_samples;           ///< ticks after which a call is looked at closely in any case

[[gnu::always_inline]] inline ThreadArea& area_of(ProcessArea& of, std::uint32_t thread) {
  return *reinterpret_cast<ThreadArea*>(reinterpret_cast<char*>(&of) + of.threads_at + thread * of.thread_bytes);
}
inline CommunicatorArea& communicator_of(ProcessArea& of, std::uint32_t number) {
  return *reinterpret_cast<CommunicatorArea*>(reinterpret_cast<char*>(&of) + of.communicators_at +
                                              number * of.communicator_bytes);
}

}  // namespace raddle::profile
