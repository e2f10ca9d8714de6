// SPDX-License-Identifier: BSD-3-Clause
// The loop of all latencies: blocking calls, one message there, one back.
#pragma once

#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {

class PingPong : public RoundTrips<PingPong> {
 public:
  PingPong(const Channel& channel, const Seat& seat, const Work& work)
      : RoundTrips(seat), channel_(channel), out_(work.bytes, 1), in_(work.bytes, 1) {}

  Validation validate() override {
    Validation result;
    // Each side sends content of its own, and sequence numbers show a message that overtook another.
    for (int i = 0; i < 3; ++i) {
      fill(out_[0], own_content(), i);
      in_.clear();
      round();
      compare(in_[0], content_of_other(), i, result);
    }
    return result;
  }

 protected:
  void round() {
    if (sends()) channel_.send(out_[0]);
    channel_.receive(in_[0]);
    if (!sends()) channel_.send(out_[0]);
  }
  [[nodiscard]] ChannelEnd& channel() noexcept { return channel_; }
  [[nodiscard]] std::span<std::byte> out() noexcept { return out_[0]; }
  [[nodiscard]] std::span<std::byte> in() noexcept { return in_[0]; }

 private:
  friend class RoundTrips<PingPong>;

  ChannelEnd channel_;
  Slots out_;
  Slots in_;
};

/// Half a round trip.
inline Method ping_pong(MakeArm arm) {
  return {.kind = Kind::time, .work_per_operation = there_and_back, .min_sample_seconds = 20e-6, .arm = arm};
}

}  // namespace raddle::bench
