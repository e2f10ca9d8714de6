// SPDX-License-Identifier: BSD-3-Clause
// Joins a benchmark's worker with any variant's channels.
#pragma once

#include <memory>
#include <string>

#include "core/registry.hpp"
#include "mpi/variant.hpp"

namespace raddle::bench {

template <typename ChannelWorker>
class ChannelArm final : public Arm {
 public:
  ChannelArm(const std::string& variant, const Team& team, const Work& work)
      : channels_(make_channels(variant, team)), work_(work) {}
  void begin() override { channels_->begin(); }
  std::unique_ptr<Worker> join(const Seat& seat) override {
    return std::make_unique<ChannelWorker>(channels_->open(seat), seat, work_);
  }
  void quit(const Seat& seat) override { channels_->close(seat); }
  void end() override { channels_->end(); }

 private:
  std::unique_ptr<Channels> channels_;
  Work work_;
};

/// For Benchmark::arm. @tparam ChannelWorker a Worker made with (Channel, Seat, Work)
template <typename ChannelWorker>
std::unique_ptr<Arm> channel_arm(const std::string& variant, const Team& team, const Work& work) {
  return std::make_unique<ChannelArm<ChannelWorker>>(variant, team, work);
}

}  // namespace raddle::bench
