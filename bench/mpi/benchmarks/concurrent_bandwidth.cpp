// SPDX-License-Identifier: BSD-3-Clause
// T2 of Thakur and Gropp: blocking sends of large messages, an acknowledgement after each window
// (docs/thakur-gropp.md).
#include <algorithm>

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/port.hpp"

namespace raddle::bench {
namespace {

class AcknowledgedStream final : public Worker {
 public:
  AcknowledgedStream(const Channel& channel, const Seat& seat, const Work& work)
      : port_(channel),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        window_(work.window),
        buffer_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    meet();
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) {
      for (int message = 0; message < window_; ++message) {
        if (sends_) {
          port_.send(buffer_[0]);
        } else {
          port_.receive(buffer_[0]);
        }
      }
      acknowledge();
    }
    return sends_ ? Span{begin, now()} : Span{};
  }

  Validation validate() override {
    Validation result;
    for (int i = 0; i < std::min(window_, 3); ++i) {
      if (sends_) {
        fill(buffer_[0], flow_, i);
        port_.send(buffer_[0]);
      } else {
        buffer_.clear();
        port_.receive(buffer_[0]);
        compare(buffer_[0], flow_, i, result);
      }
    }
    acknowledge();
    return result;
  }

 private:
  /// The first message must not find its receiver on the way.
  void meet() { acknowledge(); }
  void acknowledge() {
    if (sends_) {
      port_.receive({});
    } else {
      port_.send({});
    }
  }

  Port port_;
  const bool sends_;
  const int flow_;
  const int window_;
  Slots buffer_;
};

const Register concurrent_bandwidth(Benchmark{
    "concurrent_bandwidth",
    "blocking sends of large messages, all pairs at once, an acknowledgement after each window",
    {"bandwidth", "MB/s", "higher", Kind::rate,
     [](const Work& work) { return static_cast<double>(work.bytes) * work.window / 1e6; }},
    {{"bytes", 8 << 20, "payload of one message"},
     {"threads", 1, "pairs at the same time"},
     {"window", 25, "messages before the acknowledgement"}},
    0,
    channel_arm<AcknowledgedStream>});

}  // namespace
}  // namespace raddle::bench
