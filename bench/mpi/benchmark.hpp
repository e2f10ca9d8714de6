// SPDX-License-Identifier: BSD-3-Clause
// Joins a benchmark's worker with any variant's channels or groups.
#pragma once

#include <memory>
#include <string>

#include "core/registry.hpp"
#include "mpi/variant.hpp"

namespace raddle::bench {

template <typename Connection, typename LinkedWorker>
class LinkedArm final : public Arm {
 public:
  LinkedArm(const std::string& variant, const Team& team, const Work& work)
      : links_(make_links<Connection>(variant, team)), work_(work) {}
  void begin() override { links_->begin(); }
  std::unique_ptr<Worker> join(const Seat& seat) override {
    return std::make_unique<LinkedWorker>(links_->open(seat), seat, work_);
  }
  void quit(const Seat& seat) override { links_->close(seat); }
  void end() override { links_->end(); }

 private:
  std::unique_ptr<Links<Connection>> links_;
  Work work_;
};

/// For Benchmark::arm. @tparam ChannelWorker a Worker made with (Channel, Seat, Work)
template <typename ChannelWorker>
std::unique_ptr<Arm> channel_arm(const std::string& variant, const Team& team, const Work& work) {
  return std::make_unique<LinkedArm<Channel, ChannelWorker>>(variant, team, work);
}

/// For Benchmark::arm. @tparam GroupWorker a Worker made with (MPI_Comm, Seat, Work)
template <typename GroupWorker>
std::unique_ptr<Arm> group_arm(const std::string& variant, const Team& team, const Work& work) {
  return std::make_unique<LinkedArm<MPI_Comm, GroupWorker>>(variant, team, work);
}

}  // namespace raddle::bench
