// SPDX-License-Identifier: BSD-3-Clause
// An arm without MPI: the two sides of a flow share memory.
#pragma once

#include <memory>
#include <vector>

#include "core/arm.hpp"

namespace raddle::bench::probe {

/// @tparam FlowMemory what the two sides of a flow share, made with (Work)
/// @tparam SideWorker a Worker made with (FlowMemory&, Seat, Work)
template <typename FlowMemory, typename SideWorker>
class SharedArm final : public Arm {
 public:
  SharedArm(const Team& team, const Work& work) : work_(work) {
    for (int flow = 0; flow < team.flows; ++flow) memories_.push_back(std::make_unique<FlowMemory>(work));
  }
  std::unique_ptr<Worker> join(const Seat& seat) override {
    return std::make_unique<SideWorker>(*memories_[static_cast<std::size_t>(seat.flow)], seat, work_);
  }

 private:
  Work work_;
  std::vector<std::unique_ptr<FlowMemory>> memories_;
};

}  // namespace raddle::bench::probe
