// SPDX-License-Identifier: BSD-3-Clause
// The benchmark that docs/build/extending.md adds: a ping-pong whose receiver asks for the message before it takes it.
#include "declared/probed_latency.hpp"

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {
namespace {

class ProbedPingPong final : public Worker {
 public:
  ProbedPingPong(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        out_(work.bytes, 1),
        in_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    round();  // both sides are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) round();
    return sends_ ? Span{begin, now()} : Span{};
  }

  Validation validate() override {
    Validation result;
    fill(out_[0], 2 * flow_ + (sends_ ? 0 : 1), 0);
    in_.clear();
    round();
    compare(in_[0], 2 * flow_ + (sends_ ? 1 : 0), 0, result);
    return result;
  }

 private:
  void round() {
    if (sends_) channel_.send(out_[0]);
    while (!channel_.arrived()) {
    }
    channel_.receive(in_[0]);
    if (!sends_) channel_.send(out_[0]);
  }

  ChannelEnd channel_;
  const bool sends_;
  const int flow_;
  Slots out_;
  Slots in_;
};

const Register probed(Benchmark{declared::probed_latency(),
                                {.kind = Kind::time,
                                 .work_per_operation = there_and_back,
                                 .min_sample_seconds = 20e-6,
                                 .arm = channel_arm<ProbedPingPong>}});

}  // namespace
}  // namespace raddle::bench
