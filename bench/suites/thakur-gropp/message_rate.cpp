// SPDX-License-Identifier: BSD-3-Clause
// T4 of Thakur and Gropp: messages a second, as published, with receives posted ahead, and with none posted
// (docs/evidence/thakur-gropp.md).
#include "declared/message_rate.hpp"

#include <vector>

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/windowed.hpp"
#include "suites/thakur-gropp/one_way.hpp"

namespace raddle::bench {
namespace {

/// Blocking sends; the sender waits for an empty reply to every `window`th, beginning with the first, and at the end.
class Published final : public OneWay {
 public:
  using OneWay::OneWay;

  Span sample(std::int64_t iterations) override {
    reply();  // both sides are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations * window(); ++i) {
      move();
      if (i % window() == 0) reply();
    }
    reply();
    return sends() ? Span{begin, now()} : Span{};
  }

  Validation validate() override { return compare_messages(window()); }
};

/// The receiver posts nothing before a marker that was sent after the whole window has arrived.
class Unexpected final : public Worker {
 public:
  Unexpected(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        window_(work.window),
        buffer_(work.bytes, window_),
        requests_(static_cast<std::size_t>(window_), MPI_REQUEST_NULL) {}

  Span sample(std::int64_t iterations) override {
    if (sends_) {
      channel_.receive({});
    } else {
      channel_.send({});
    }
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) window();
    return sends_ ? Span{begin, now()} : Span{};
  }

  Validation validate() override {
    Validation result;
    for (int i = 0; sends_ && i < window_; ++i) fill(buffer_[i], flow_, i);
    if (!sends_) buffer_.clear();
    window();
    for (int i = 0; !sends_ && i < window_; ++i) compare(buffer_[i], flow_, i, result);
    return result;
  }

 private:
  void window() {
    if (sends_) {
      for (int i = 0; i < window_; ++i) channel_.start_send(buffer_[i], requests_[static_cast<std::size_t>(i)]);
      channel_.send({}, Channel::marker);
      channel_.wait_all(requests_);
      channel_.receive({});
    } else {
      channel_.receive({}, Channel::marker);
      for (int i = 0; i < window_; ++i) channel_.receive(buffer_[i]);
      channel_.send({});
    }
  }

  ChannelEnd channel_;
  const bool sends_;
  const int flow_;
  const int window_;
  Slots buffer_;
  std::vector<MPI_Request> requests_;
};

std::unique_ptr<Arm> rate_arm(const std::string& variant, const Team& team, const Work& work) {
  const std::string& mode = work.word("mode");
  if (mode == "windowed") return channel_arm<Windowed>(variant, team, work);
  if (mode == "unexpected") return channel_arm<Unexpected>(variant, team, work);
  return channel_arm<Published>(variant, team, work);
}

const Register message_rate(Benchmark{declared::message_rate(),
                                      {.kind = Kind::rate, .work_per_operation = messages, .arm = rate_arm}});

}  // namespace
}  // namespace raddle::bench
