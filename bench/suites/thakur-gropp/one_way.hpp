// SPDX-License-Identifier: BSD-3-Clause
// Blocking messages in one direction, with empty replies: what concurrent_bandwidth and message_rate share.
#pragma once

#include "core/buffer.hpp"
#include "mpi/channel_end.hpp"

namespace raddle::bench {

class OneWay : public Worker {
 public:
  OneWay(const Channel& channel, const Seat& seat, const Work& work)
      : channel_(channel),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        window_(work.window),
        buffer_(work.bytes, 1) {}

 protected:
  [[nodiscard]] bool sends() const noexcept { return sends_; }
  [[nodiscard]] int window() const noexcept { return window_; }

  /// One message, from and into the one buffer.
  void move() {
    if (sends_) {
      channel_.send(buffer_[0]);
    } else {
      channel_.receive(buffer_[0]);
    }
  }
  void reply() {
    if (sends_) {
      channel_.receive({});
    } else {
      channel_.send({});
    }
  }

  /// So many messages, each with content of its own.
  Validation compare_messages(int messages) {
    Validation result;
    for (int i = 0; i < messages; ++i) {
      if (sends_) {
        fill(buffer_[0], flow_, i);
      } else {
        buffer_.clear();
      }
      move();
      if (!sends_) compare(buffer_[0], flow_, i, result);
    }
    reply();
    return result;
  }

 private:
  ChannelEnd channel_;
  const bool sends_;
  const int flow_;
  const int window_;
  Slots buffer_;
};

}  // namespace raddle::bench
