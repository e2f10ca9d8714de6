// SPDX-License-Identifier: BSD-3-Clause
// What an engine adds to an operation (docs/evidence/evaluation.md): the ping-pong of the evaluation of 2014, and,
// where the CPUs do not suffice for two contexts and their proxies, the same of one context with itself.
#include "declared/ep_overhead.hpp"

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/ping_pong.hpp"

namespace raddle::bench {
namespace {

/// A message to oneself is two operations, as half a round trip is: a send and a receive. The receive is posted first,
/// so that no send can wait for it.
class SelfTrip final : public Worker {
 public:
  SelfTrip(const Channel& channel, const Seat& seat, const Work& work)
      : channel_({channel.comm, channel.peer, channel.send_tag, channel.send_tag}),
        flow_(seat.flow),
        out_(work.bytes, 1),
        in_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) trip();
    return {begin, now()};
  }

  Validation validate() override {
    Validation result;
    for (int i = 0; i < 3; ++i) {
      fill(out_[0], flow_, i);
      in_.clear();
      trip();
      compare(in_[0], flow_, i, result);
    }
    return result;
  }

 private:
  void trip() {
    MPI_Request request = MPI_REQUEST_NULL;
    channel_.start_receive(in_[0], request);
    channel_.send(out_[0]);
    channel_.wait(request);
  }

  ChannelEnd channel_;
  const int flow_;
  Slots out_;
  Slots in_;
};

std::unique_ptr<Arm> overhead_arm(const std::string& variant, const Team& team, const Work& work) {
  if (work.word("partner") == "self") return channel_arm<SelfTrip>(variant, team, work);
  return channel_arm<PingPong>(variant, team, work);
}

const Register ep_overhead(Benchmark{declared::ep_overhead(), ping_pong(overhead_arm)});

}  // namespace
}  // namespace raddle::bench
