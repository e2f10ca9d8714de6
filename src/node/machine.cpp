// SPDX-License-Identifier: BSD-3-Clause
#include "node/machine.hpp"

#include <algorithm>

namespace raddle::node {

Machine::Machine(const NodeComm& processes, std::uint64_t id) {
  const std::vector<Member> members = processes.members(processes.rank());
  processes_ = processes.gather(Process{.id = id, .process = this_process(), .cpus = CpuSet::lately().words()});
  std::ranges::sort(processes_, {}, &Process::id);
  reach_each_other_ = processes.reach_each_other(members);
}

const Machine::Process* Machine::find(std::uint64_t id) const {
  const auto found = std::ranges::lower_bound(processes_, id, {}, &Process::id);
  return found != processes_.end() && found->id == id ? &*found : nullptr;
}

}  // namespace raddle::node
