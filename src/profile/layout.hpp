// SPDX-License-Identifier: BSD-3-Clause
// The file of a process. raddle/profile/layout.py has the same for the reader: who changes one changes the other, and
// the version.
//
// It is mapped into the process, so that what it has recorded stays when it is killed. It begins as zeros, and takes no
// room on the disk where nothing has been written. Each thread writes into an area of its own; what is counted there is
// whole for a reader that comes while the process runs, or when it was killed: counters are words.
#pragma once

#include <atomic>
#include <cstdint>

#include "profile/sizes.hpp"
#include "profile/table.hpp"
#include "profile/thinned.hpp"
#include "profile/timeline.hpp"

namespace raddle::profile {

inline constexpr char magic[9] = "RADDLEPF";
inline constexpr std::uint32_t format_version = 1;

inline constexpr std::uint32_t most_threads = 256;
inline constexpr std::uint32_t most_communicators = 1024;
inline constexpr std::uint32_t most_rows = 1024;  ///< pairs of function and communicator, of a thread
inline constexpr std::uint32_t duration_classes = 33;

/// How far a process has come.
enum class State : std::uint32_t { starting = 0, running = 1, finalized = 2, exited = 3, aborted = 4 };

enum class LockKind : std::uint32_t { mutex, spin, rwlock, condition, semaphore };
inline constexpr std::uint32_t lock_kinds = 5;

/// Calls of one function on one communicator.
struct Row {
  std::uint64_t key;  ///< number of the communicator, plus 1, in the upper half; that of the function in the lower one
  std::uint64_t calls;
  std::uint64_t ticks;
  std::uint64_t longest;
  std::uint64_t lock_ticks;
  std::uint64_t lock_waits;
  std::uint64_t bytes;
  std::uint64_t sizes[size_classes];
};

/// Messages of one thread to or from one rank with one tag: in the order of calls that send or receive them, which is
/// that in which they match.
struct Stream {
  std::uint64_t key;
  std::uint64_t messages;
  std::uint64_t bytes;
  std::int32_t peer;
  std::int32_t tag;
  std::uint16_t communicator;
  std::uint16_t receives;  ///< 1; 0: sends
  std::uint32_t unsure;    ///< receives from anybody were mixed in: not every number is known
};

/// A call that sent or received a message of a stream, or that waited for one.
struct Passed {
  std::uint64_t number;  ///< in the stream
  std::uint64_t posted;  ///< ticks when the call began that sent it or began to receive it
  std::uint64_t began;   ///< of the call that may have waited for it
  std::uint64_t ended;
  std::uint32_t stream;  ///< its place
  std::uint16_t function;
  std::uint8_t size;         ///< its class
  std::uint8_t synchronous;  ///< 1: a send that waits for its receive, however small it is
};

/// Calls of one function that began while so many others were inside; a sample.
struct Beside {
  std::uint64_t key;
  std::uint64_t calls;
  std::uint64_t ticks;
  double squares;
  std::uint64_t least;
  std::uint16_t function;
  std::uint16_t size;
  std::uint32_t inside;
};

struct LockWaits {
  std::uint64_t waits;
  std::uint64_t ticks;
};

/// What one thread writes.
struct alignas(4096) ThreadArea {
  // Looked at by the sampler again and again.
  std::atomic<std::uint64_t>
      inside;  ///< 0: outside; else the function plus 1, and above 16 bits the communicator plus 1
  std::atomic<std::uint64_t> since;  ///< ticks when it went in
  std::uint64_t apart[6];

  std::atomic<std::int32_t> tid;  ///< 0: the area is unused
  std::atomic<std::uint32_t> gone;
  char name[16];
  std::int32_t rank;  ///< of an endpoint that it has adopted, plus 1
  std::uint32_t reserved;
  std::uint64_t began;
  std::uint64_t ended;      ///< of the last call
  std::uint64_t cpu_began;  ///< nanoseconds
  std::atomic<std::uint64_t> cpu_ended;
  std::uint64_t preempted_began;
  std::uint64_t preempted;
  std::uint64_t moved;
  std::uint64_t lost;  ///< calls for which there was no row
  std::uint64_t lost_messages;
  std::uint64_t trace_lost;
  // CPU time of calls, by how long they took: class n has those of [4^(n-1), 4^n) ticks.
  std::uint64_t all_ticks[duration_classes];
  std::uint64_t sampled_ticks[duration_classes];
  std::uint64_t sampled_cpu[duration_classes];  ///< nanoseconds

  Row spare;                                      ///< for calls that are lost
  Timeline<2> timeline;                           ///< ticks inside, ticks waiting for locks
  LockWaits locks[most_threads + 1][lock_kinds];  ///< by who held it, plus 1; 0: not known
  Table<Beside, 512> beside;
  std::uint32_t rows_used;
  std::uint32_t rows_reserved;
  Row row[most_rows];
  Table<Stream, 2048> streams;
  Thinned<Passed, 4096> passed;
};

/// A collective call of one communicator.
struct Gathering {
  std::uint64_t number;  ///< of the collective calls of this communicator
  std::uint64_t began;
  std::uint64_t ended;
  std::int32_t root;  ///< -1: it has none
  std::uint16_t function;
  std::uint16_t thread;
};

struct CommunicatorArea {
  std::uint64_t key;  ///< 0: unused
  std::int32_t rank;
  std::int32_t size;
  char name[64];
  std::uint32_t endpoint;  ///< 1: of an endpoint
  std::uint32_t matches;   ///< 1: all its processes have the same key
  std::uint32_t inter;     ///< 1: it has two groups of processes
  std::uint32_t reserved;
  std::uint64_t collectives;
  Thinned<Gathering, 512> log;
};

struct ProcessArea {
  char magic[8];
  std::uint32_t version;
  std::uint32_t functions;
  std::uint64_t functions_at;      ///< offset of the names, 64 bytes each
  std::uint64_t communicators_at;  ///< offset
  std::uint64_t threads_at;        ///< offset
  std::uint64_t communicator_bytes;
  std::uint64_t thread_bytes;
  std::uint64_t file_bytes;
  std::atomic<State> state;
  std::int32_t pid;
  std::int32_t rank;
  std::int32_t size;
  std::int32_t requested;  ///< as the MPI's constants are ordered: 0 single to 3 multiple
  std::int32_t provided;
  std::int32_t cpus;
  std::uint32_t counter;  ///< 1: ticks are those of the CPU's counter; 0: nanoseconds
  char host[64];
  char boot[40];
  char engine[16];
  char library[128];
  std::uint64_t first_ticks;  ///< a moment at the beginning, and the last one
  std::uint64_t first_nanoseconds;
  std::uint64_t last_ticks;
  std::uint64_t last_nanoseconds;
  std::uint64_t cpu;  ///< of all threads, nanoseconds
  double call_cost;   ///< nanoseconds
  std::atomic<std::uint64_t> lost;
  std::atomic<std::uint32_t> threads;  ///< that have come, with those for which there was no room
  std::atomic<std::uint32_t> communicators;
  std::uint64_t looks;
  std::uint64_t with[most_threads + 1];  ///< ticks with so many inside
  Timeline<2> concurrency;               ///< ticks looked at, and the same times the number inside
};

}  // namespace raddle::profile
