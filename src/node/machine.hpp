// SPDX-License-Identifier: BSD-3-Clause
// The processes of a communicator that are on this machine, as they know each other: asked once, and then true of each
// communicator that is made of some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node/cpu_set.hpp"
#include "node/node_comm.hpp"
#include "node/process_watch.hpp"

namespace raddle::node {

class Machine {
 public:
  struct Process {
    std::uint64_t id;    ///< as it was given
    ProcessId process;   ///< to be watched
    CpuSet::Words cpus;  ///< that it may use
  };

  /// Collective over `processes`. @param id  by which others are to find this process
  Machine(const NodeComm& processes, std::uint64_t id);

  /// nullptr: none on this machine.
  [[nodiscard]] const Process* find(std::uint64_t id) const;
  /// Whether each of them reaches the memory of all, and RADDLE_SINGLE_COPY lets it.
  [[nodiscard]] bool reach_each_other() const { return reach_each_other_; }

 private:
  std::vector<Process> processes_;  ///< by id
  bool reach_each_other_;
};

}  // namespace raddle::node
