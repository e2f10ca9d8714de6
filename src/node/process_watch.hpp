// SPDX-License-Identifier: BSD-3-Clause
// Notices that another process of the node has ended, so that nobody waits for its messages for ever.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace raddle::node {

/// A process and no later one that was given the same pid.
struct Process {
  pid_t pid;
  std::uint64_t started;  ///< clock ticks after the system's start, as /proc says; 0: not known
};

/// What others need to watch this process.
Process this_process();

/// Watches processes of this node. For one thread at a time.
class ProcessWatch {
 public:
  enum class Means {
    pidfd,  ///< where the system has it, else proc
    proc,   ///< some system calls for each process
  };

  /// @param processes as this_process() said in each of them, whose pids mean the same here
  explicit ProcessWatch(std::span<const Process> processes, Means means = Means::pidfd);
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

  std::vector<Process> processes_;  ///< pid 0: forgotten
  std::vector<pollfd> files_;       ///< one a process; none: by /proc
  std::vector<std::size_t> gone_;   ///< seen to have ended, and not forgotten
};

}  // namespace raddle::node
