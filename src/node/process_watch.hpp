// SPDX-License-Identifier: BSD-3-Clause
// Notices that another process of the node has ended, so that nobody waits for its messages for ever.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace raddle::node {

/// A process and no later one that was given the same pid.
struct ProcessId {
  pid_t pid;
  std::uint64_t started;  ///< clock ticks after the system's start, as /proc says; 0: not known
};

/// What others need to watch this process.
ProcessId this_process();

/// Watches processes of this node. For one thread at a time.
class ProcessWatch {
 public:
  enum class Means {
    pidfd,  ///< where the system has it, else proc
    proc,   ///< some system calls for each process
  };

  /// @param processes as this_process() said in each of them, whose pids mean the same here
  explicit ProcessWatch(std::span<const ProcessId> processes, Means means = Means::pidfd);
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;
  ~ProcessWatch();

  /// The index of a process that has ended, also when nobody has waited for it yet. One system call for all of them.
  [[nodiscard]] std::optional<std::size_t> ended();
  /// This one's end is nobody's concern any more.
  void forget(std::size_t index);

 private:
  bool open_all();
  void close_all();

  std::vector<ProcessId> processes_;  ///< pid 0: forgotten
  std::vector<pollfd> files_;         ///< one a process; none: by /proc
  std::vector<std::size_t> gone_;     ///< seen to have ended, and not forgotten
};

// Which processes of a node that share memory have ended, though the others need them still. One that needs them no
// longer says so there: its end is no failure. Knows no MPI.

class Departures {
 public:
  /// Bytes that so many processes need.
  [[nodiscard]] static constexpr std::size_t memory(std::size_t processes) { return processes * sizeof(Presence); }

  /// @param shared  memory(processes) bytes, zeros at first, aligned as a cache line @param self  this one's index
  Departures(std::byte* shared, std::size_t processes, std::size_t self);
  Departures(const Departures&) = delete;
  Departures& operator=(const Departures&) = delete;

  /// From here on the end of one is noticed. @param processes  all of them, which see each other's pids
  void watch(std::vector<ProcessId> processes);

  /// One that has ended without having left, once watch() has been called. One thread at a time.
  [[nodiscard]] std::optional<std::size_t> lost();
  /// Not 0 when this one has left.
  [[nodiscard]] const std::atomic<std::uint64_t>& left(std::size_t process) const { return presence_[process].left; }
  /// This process leaves.
  void leave();

 private:
  /// What a process tells the others through the memory.
  struct alignas(64) Presence {
    std::atomic<std::uint64_t> left{0};
  };

  std::span<Presence> presence_;
  std::size_t self_;
  std::vector<ProcessId> processes_;   ///< none: they are not watched
  std::optional<ProcessWatch> watch_;  ///< once somebody has asked: it takes files, and most are never needed
};

// What tells this process from all others, where neither its pid nor its rank does: containers have the same pids, and
// processes of several worlds meet (MPI_Comm_spawn).

/// A number that no other process has. It stays where it is: others may look for it in this process's memory.
const std::uint64_t& own_number();

}  // namespace raddle::node
