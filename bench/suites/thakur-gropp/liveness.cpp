// SPDX-License-Identifier: BSD-3-Clause
// Figure 1 of Thakur and Gropp: in each of two processes one thread receives and one sends, and in whichever order the
// four begin, all must end (docs/evidence/thakur-gropp.md). Flow 0 goes from process 0 to process 1, flow 1 back.
#include "declared/liveness.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/buffer.hpp"
#include "core/statistics.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {
namespace {

constexpr int starters = 4;
constexpr int orders = 24;
constexpr Nanoseconds step = 150'000;   // between two starts
constexpr Nanoseconds rest = 2 * step;  // from the last start of an order to the first of the next
constexpr Nanoseconds turn = (starters - 1) * step + rest;

/// Who starts when: position of each context in each order.
std::vector<std::array<int, starters>> all_orders() {
  std::vector<std::array<int, starters>> result;
  std::array<int, starters> order{0, 1, 2, 3};
  do {
    result.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return result;
}

class Starter final : public Worker {
 public:
  Starter(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        // Flow 1 goes the other way round, so that each process has a sender and a receiver.
        sends_((seat.side == Side::sender) == (seat.flow == 0)),
        context_(seat.context),
        flow_(seat.flow),
        orders_(all_orders()),
        buffer_(work.bytes, 1) {}

  void start_at(Nanoseconds moment) override { start_ = moment; }

  Span sample(std::int64_t iterations) override {
    std::vector<double> times;
    late_ = 0;
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations * orders; ++i) {
      const auto& order = orders_[static_cast<std::size_t>(i % orders)];
      const Nanoseconds first = start_ + i * turn;
      const Nanoseconds own = first + order[static_cast<std::size_t>(context_)] * step;
      sleep_until(own);
      // The order of this round is not what it should be when somebody comes after his successor.
      if (now() >= own + step) ++late_;
      meet();
      if (begins_last(order)) times.push_back(static_cast<double>(now() - (first + (starters - 1) * step)) / 1e3);
    }
    latency_ = std::max(median(times), 0.0);
    return {begin, now()};
  }

  Validation validate() override {
    Validation result;
    if (sends_) {
      fill(buffer_[0], flow_, 1);
    } else {
      buffer_.clear();
    }
    meet();
    if (!sends_) compare(buffer_[0], flow_, 1, result);
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    return {latency_, static_cast<double>(late_), unread, unread, unread, unread};
  }

 private:
  /// Whether the last start is of this context's flow: the other flow ends without waiting for that one.
  [[nodiscard]] bool begins_last(const std::array<int, starters>& order) const {
    const int partner = (context_ + starters / 2) % starters;
    return std::max(order[static_cast<std::size_t>(context_)], order[static_cast<std::size_t>(partner)]) ==
           starters - 1;
  }

  void meet() {
    if (sends_) {
      channel_.synchronous_send(buffer_[0]);
    } else {
      channel_.receive(buffer_[0]);
    }
  }

  ChannelEnd channel_;
  const bool sends_;
  const int context_;
  const int flow_;
  const std::vector<std::array<int, starters>> orders_;
  Slots buffer_;
  Nanoseconds start_ = 0;
  double latency_ = 0;
  int late_ = 0;
};

void check_liveness(const PointSet& set) {
  if (set.work.threads != 2) throw PlanError("liveness has 2 threads: one receives, one sends");
}

const Register liveness(Benchmark{declared::liveness(),
                                  {.kind = Kind::reading,
                                   .arm = channel_arm<Starter>,
                                   .readings = {{"latency", Fold::most}, {"late", Fold::most}},
                                   .check = check_liveness,
                                   .common_start = true}});

}  // namespace
}  // namespace raddle::bench
