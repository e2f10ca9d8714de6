// SPDX-License-Identifier: BSD-3-Clause
// T5 of Thakur and Gropp: does a long message of one thread hold up the short ones of another
// (docs/evidence/thakur-gropp.md)? Flow 0 is long, flow 1 short. Both senders run until the same moment, so that they
// overlap from end to end; then an empty message tells their receivers.
#include "declared/short_long.hpp"

#include <algorithm>
#include <vector>

#include "core/buffer.hpp"
#include "core/statistics.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {
namespace {

constexpr Nanoseconds of_one_operation = 1'000'000;  // that one operation lasts
constexpr double delay = 10;                         // times the median that make a short message delayed

class ShortLong final : public Worker {
 public:
  ShortLong(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        short_(seat.flow == 1),
        flow_(seat.flow),
        idle_(!short_ && work.whole("long_bytes") == 0),
        buffer_(short_ ? work.bytes : work.whole("long_bytes"), 1) {}

  void start_at(Nanoseconds moment) override { start_ = moment; }

  Span sample(std::int64_t iterations) override {
    const Nanoseconds end = start_ + iterations * of_one_operation;
    sleep_until(start_);
    if (idle_) {
      sleep_until(end);
      return {};
    }
    if (!sends_) {
      while (channel_.receive_up_to(buffer_[0]) > 0) {
      }
      return {};
    }
    times_.clear();
    Nanoseconds before = now();
    const Nanoseconds begin = before;
    do {
      if (short_) {
        channel_.synchronous_send(buffer_[0]);
      } else {
        channel_.send(buffer_[0]);
      }
      const Nanoseconds after = now();
      times_.push_back(static_cast<double>(after - before) / 1e3);
      before = after;
    } while (before < end);
    channel_.send({});
    seconds_ = static_cast<double>(before - begin) * 1e-9;
    return {begin, before};
  }

  Validation validate() override {
    Validation result;
    for (int i = 0; !idle_ && i < 3; ++i) {
      if (sends_) {
        fill(buffer_[0], flow_, i);
        channel_.synchronous_send(buffer_[0]);
      } else {
        buffer_.clear();
        channel_.receive(buffer_[0]);
        compare(buffer_[0], flow_, i, result);
      }
    }
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    Readings result = no_readings;
    if (!sends_ || idle_ || times_.empty()) return result;
    if (!short_) {
      result[4] = static_cast<double>(buffer_.bytes() * times_.size()) / 1e6 / seconds_;
      return result;
    }
    const double middle = median(times_);
    const auto late = std::ranges::count_if(times_, [&](double time) { return time > delay * middle; });
    result[0] = middle;
    result[1] = percentile(times_, 0.99);
    result[2] = *std::ranges::max_element(times_);
    result[3] = static_cast<double>(late) / static_cast<double>(times_.size());
    return result;
  }

  [[nodiscard]] std::vector<double> trace() const override { return sends_ && short_ ? times_ : std::vector<double>{}; }

 private:
  ChannelEnd channel_;
  const bool sends_;
  const bool short_;
  const int flow_;
  const bool idle_;
  Slots buffer_;
  Nanoseconds start_ = 0;
  std::vector<double> times_;  ///< of single messages, us
  double seconds_ = 0;
};

void check_short_long(const PointSet& set) {
  if (set.work.threads != 2) throw PlanError("short_long has 2 threads: one sends long messages, one short ones");
  if (set.work.bytes < 1) throw PlanError("'bytes' must be at least 1: an empty message is the last one");
}

const Register short_long(Benchmark{
    declared::short_long(),
    {.kind = Kind::reading,
     .min_sample_seconds = 10e-3,
     .arm = channel_arm<ShortLong>,
     .readings = {{"latency"}, {"p99"}, {"max", Fold::most}, {"delayed"}, {"long_bandwidth"}},
     .check = check_short_long,
     .common_start = true}});

}  // namespace
}  // namespace raddle::bench
