// SPDX-License-Identifier: BSD-3-Clause
// T3 of Thakur and Gropp: ping-pongs of all pairs at once (docs/evidence/thakur-gropp.md). The value is that of the
// undisturbed loop; a second one times each round trip for the percentiles.
#include "declared/concurrent_latency.hpp"

#include <algorithm>
#include <vector>

#include "core/statistics.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/ping_pong.hpp"

namespace raddle::bench {
namespace {

constexpr int single_trips = 200;  // the 99th percentile needs that many

class TimedPingPong final : public PingPong {
 public:
  TimedPingPong(const Channel& channel, const Seat& seat, const Work& work)
      : PingPong(channel, seat, work), trips_(single_trips) {}

  Span sample(std::int64_t iterations) override {
    const Span span = PingPong::sample(iterations);
    Nanoseconds before = now();
    for (double& trip : trips_) {
      round();
      const Nanoseconds after = now();
      trip = static_cast<double>(after - before) / 2e3;
      before = after;
    }
    return span;
  }

  [[nodiscard]] Readings readings() const override {
    if (!sends()) return no_readings;
    Readings result = no_readings;
    result[0] = percentile(trips_, 0.99);
    result[1] = *std::ranges::max_element(trips_);
    return result;
  }

 private:
  std::vector<double> trips_;  ///< half round trips, us
};

const Register concurrent_latency(Benchmark{declared::concurrent_latency(),
                                            {.kind = Kind::time,
                                             .work_per_operation = there_and_back,
                                             .min_sample_seconds = 200e-6,
                                             .arm = channel_arm<TimedPingPong>,
                                             .readings = {{"p99", Fold::median}, {"max", Fold::most}}}});

}  // namespace
}  // namespace raddle::bench
