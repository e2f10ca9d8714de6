// SPDX-License-Identifier: BSD-3-Clause
// The loop of all latencies: blocking calls, one message there, one back.
#pragma once

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/port.hpp"

namespace raddle::bench {

class PingPong : public Worker {
 public:
  PingPong(const Channel& channel, const Seat& seat, const Work& work)
      : port_(channel), sends_(seat.side == Side::sender), flow_(seat.flow), out_(work.bytes, 1), in_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    round();  // both sides are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) round();
    return sends_ ? Span{begin, now()} : Span{};
  }

  Validation validate() override {
    Validation result;
    // Each side sends content of its own, and sequence numbers show a message that overtook another.
    for (int i = 0; i < 3; ++i) {
      fill(out_[0], 2 * flow_ + (sends_ ? 0 : 1), i);
      in_.clear();
      round();
      compare(in_[0], 2 * flow_ + (sends_ ? 1 : 0), i, result);
    }
    return result;
  }

 protected:
  void round() {
    if (sends_) port_.send(out_[0]);
    port_.receive(in_[0]);
    if (!sends_) port_.send(out_[0]);
  }
  [[nodiscard]] bool sends() const noexcept { return sends_; }
  [[nodiscard]] Port& port() noexcept { return port_; }
  [[nodiscard]] std::span<std::byte> out() noexcept { return out_[0]; }
  [[nodiscard]] std::span<std::byte> in() noexcept { return in_[0]; }

 private:
  Port port_;
  const bool sends_;
  const int flow_;
  Slots out_;
  Slots in_;
};

/// Half a round trip.
inline Method ping_pong(MakeArm arm) {
  return {.kind = Kind::time, .work_per_operation = there_and_back, .min_sample_seconds = 20e-6, .arm = arm};
}

}  // namespace raddle::bench
