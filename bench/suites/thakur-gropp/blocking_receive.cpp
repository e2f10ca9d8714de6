// SPDX-License-Identifier: BSD-3-Clause
// The third expectation of Thakur and Gropp: a blocking call does not burn the CPU while it waits
// (docs/evidence/thakur-gropp.md).
#include "declared/blocking_receive.hpp"

#include <chrono>
#include <ctime>
#include <thread>

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {
namespace {

/// Of the whole process, whichever of the library's threads does the waiting.
Nanoseconds cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<Nanoseconds>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

class LateSender final : public Worker {
 public:
  LateSender(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        one_clock_(seat.one_clock),
        flow_(seat.flow),
        wait_(work.whole("wait_ms")),
        buffer_(work.bytes, 1),
        sent_(sizeof(Nanoseconds), 1) {}

  Span sample(std::int64_t iterations) override {
    const Nanoseconds begin = now();
    Nanoseconds waited = 0;
    Nanoseconds burnt = 0;
    double late = 0;
    for (std::int64_t i = 0; i < iterations; ++i) {
      if (sends_) {
        channel_.receive({});
        std::this_thread::sleep_for(wait_);
        const Nanoseconds moment = now();
        std::memcpy(sent_[0].data(), &moment, sizeof moment);
        channel_.send(buffer_[0]);
        channel_.send(sent_[0]);
      } else {
        channel_.send({});
        const Nanoseconds cpu = cpu_time();
        const Nanoseconds entered = now();
        channel_.receive(buffer_[0]);
        const Nanoseconds left = now();
        burnt += cpu_time() - cpu;
        waited += left - entered;
        Nanoseconds moment = 0;
        channel_.receive(sent_[0]);
        std::memcpy(&moment, sent_[0].data(), sizeof moment);
        late += static_cast<double>(left - moment) / 1e3;
      }
    }
    if (sends_) return {};
    cpu_ = 100.0 * static_cast<double>(burnt) / static_cast<double>(waited);
    if (one_clock_) wake_up_ = late / static_cast<double>(iterations);
    return {begin, now()};
  }

  Validation validate() override {
    Validation result;
    if (sends_) {
      fill(buffer_[0], flow_, 1);
      channel_.send(buffer_[0]);
    } else {
      buffer_.clear();
      channel_.receive(buffer_[0]);
      compare(buffer_[0], flow_, 1, result);
    }
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    return sends_ ? no_readings : Readings{cpu_, wake_up_, unread, unread, unread, unread};
  }

 private:
  ChannelEnd channel_;
  const bool sends_;
  const bool one_clock_;
  const int flow_;
  const std::chrono::milliseconds wait_;
  Slots buffer_;
  Slots sent_;  ///< when, on the sender's clock
  double cpu_ = 0;
  double wake_up_ = unread;
};

const Register blocking_receive(Benchmark{
    declared::blocking_receive(),
    {.kind = Kind::reading, .arm = channel_arm<LateSender>, .readings = {{"cpu"}, {"wake_up"}}}});

}  // namespace
}  // namespace raddle::bench
