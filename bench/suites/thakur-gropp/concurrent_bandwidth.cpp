// SPDX-License-Identifier: BSD-3-Clause
// T2 of Thakur and Gropp: blocking sends of large messages, an acknowledgement after each window
// (docs/evidence/thakur-gropp.md).
#include "declared/concurrent_bandwidth.hpp"

#include <algorithm>

#include "mpi/benchmark.hpp"
#include "suites/thakur-gropp/one_way.hpp"

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
    declared::concurrent_bandwidth(),
    {.kind = Kind::rate, .work_per_operation = megabytes, .arm = channel_arm<AcknowledgedStream>}});

}  // namespace
}  // namespace raddle::bench
