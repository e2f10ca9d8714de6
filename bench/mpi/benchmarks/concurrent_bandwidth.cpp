// SPDX-License-Identifier: BSD-3-Clause
// T2 of Thakur and Gropp: blocking sends of large messages, an acknowledgement after each window
// (docs/thakur-gropp.md).
#include <algorithm>

#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/one_way.hpp"

namespace raddle::bench {
namespace {

class AcknowledgedStream final : public OneWay {
 public:
  using OneWay::OneWay;

  Span sample(std::int64_t iterations) override {
    reply();  // the first message must not find its receiver on the way
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) {
      for (int message = 0; message < window(); ++message) move();
      reply();
    }
    return sends() ? Span{begin, now()} : Span{};
  }

  Validation validate() override { return compare_messages(std::min(window(), 3)); }
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
