// SPDX-License-Identifier: BSD-3-Clause
// The kernel of message rates and bandwidths: windows of nonblocking sends into receives that are posted before.
#pragma once

#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {

/// The receiver keeps two windows: while one fills, the next is already posted and announced by an empty message on the
/// flow's own channel. So no message is ever unexpected, and the sender waits for a window only if the receiver is the
/// slower one.
class Windowed final : public Worker {
 public:
  Windowed(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        window_(work.window),
        buffer_(work.bytes, sends_ ? window_ : 2 * window_),
        requests_(static_cast<std::size_t>(buffer_.count()), MPI_REQUEST_NULL) {}

  Span sample(std::int64_t iterations) override { return sends_ ? send(iterations) : receive(iterations); }

  Validation validate() override {
    Validation result;
    if (sends_) {
      for (int i = 0; i < window_; ++i) fill(buffer_[i], flow_, i);
      send(2);
    } else {
      buffer_.clear();
      receive(2);
      for (int i = 0; i < 2 * window_; ++i) compare(buffer_[i], flow_, i % window_, result);
    }
    return result;
  }

 private:
  Span send(std::int64_t windows) {
    Nanoseconds begin = 0;
    for (std::int64_t w = 0; w < windows; ++w) {
      channel_.receive({});
      if (w == 0) begin = now();
      for (int i = 0; i < window_; ++i) channel_.start_send(buffer_[i], requests_[static_cast<std::size_t>(i)]);
      channel_.wait_all(requests_);
    }
    channel_.receive({});  // everything has arrived
    return {begin, now()};
  }

  Span receive(std::int64_t windows) {
    post(0);
    for (std::int64_t w = 0; w < windows; ++w) {
      if (w + 1 < windows) post(static_cast<int>((w + 1) % 2));
      channel_.wait_all(half(static_cast<int>(w % 2)));
    }
    channel_.send({});
    return {};
  }

  void post(int which) {
    for (int i = which * window_; i < (which + 1) * window_; ++i) {
      channel_.start_receive(buffer_[i], requests_[static_cast<std::size_t>(i)]);
    }
    channel_.send({});
  }

  std::span<MPI_Request> half(int which) {
    return std::span(requests_).subspan(static_cast<std::size_t>(which * window_), static_cast<std::size_t>(window_));
  }

  ChannelEnd channel_;
  const bool sends_;
  const int flow_;
  const int window_;
  Slots buffer_;
  std::vector<MPI_Request> requests_;
};

/// @param work messages or megabytes, as a benchmark counts what it moves
inline Method windowed(double (*work)(const Work&)) {
  return {.kind = Kind::rate, .work_per_operation = work, .arm = channel_arm<Windowed>};
}

}  // namespace raddle::bench
