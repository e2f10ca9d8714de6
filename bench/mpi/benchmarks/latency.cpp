// SPDX-License-Identifier: BSD-3-Clause
// Ping-pong with blocking calls; half a round trip is the latency.
#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

class PingPong final : public Worker {
 public:
  PingPong(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        count_(static_cast<int>(work.bytes)),
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
    // Each side sends content of its own, and sequence numbers show a message that overtook another.
    for (int i = 0; i < 3; ++i) {
      fill(out_[0], 2 * flow_ + (sends_ ? 0 : 1), i);
      in_.clear();
      round();
      compare(in_[0], 2 * flow_ + (sends_ ? 1 : 0), i, result);
    }
    return result;
  }

 private:
  void round() {
    if (sends_) send();
    check(MPI_Recv(in_[0].data(), count_, MPI_BYTE, channel_.peer, channel_.recv_tag, channel_.comm, MPI_STATUS_IGNORE),
          "MPI_Recv");
    if (!sends_) send();
  }
  void send() {
    check(MPI_Send(out_[0].data(), count_, MPI_BYTE, channel_.peer, channel_.send_tag, channel_.comm), "MPI_Send");
  }

  const Channel channel_;
  const bool sends_;
  const int flow_;
  const int count_;
  Slots out_;
  Slots in_;
};

const Register latency(Benchmark{"latency",
                                 "ping-pong with blocking calls, half the round trip",
                                 {"latency", "us", Kind::time, [](const Work&) { return 2.0; }},
                                 {{"bytes", 8, "payload of one message"}, {"threads", 1, "pairs at the same time"}},
                                 20e-6,
                                 channel_arm<PingPong>});

}  // namespace
}  // namespace raddle::bench
