// SPDX-License-Identifier: BSD-3-Clause
// The loop of message rate and bandwidth: windows of nonblocking sends into receives that are posted before.
#pragma once

#include <array>
#include <vector>

#include "core/buffer.hpp"
#include "mpi/channel.hpp"
#include "mpi/check.hpp"

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
        count_(static_cast<int>(work.bytes)),
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
      await_word();
      if (w == 0) begin = now();
      for (int i = 0; i < window_; ++i) {
        check(
            MPI_Isend(buffer_[i].data(), count_, MPI_BYTE, channel_.peer, channel_.send_tag, channel_.comm, request(i)),
            "MPI_Isend");
      }
      check(MPI_Waitall(window_, request(0), MPI_STATUSES_IGNORE), "MPI_Waitall");
    }
    await_word();  // everything has arrived
    return {begin, now()};
  }

  Span receive(std::int64_t windows) {
    post(0);
    for (std::int64_t w = 0; w < windows; ++w) {
      if (w + 1 < windows) post(static_cast<int>((w + 1) % 2));
      check(MPI_Waitall(window_, request(static_cast<int>(w % 2) * window_), MPI_STATUSES_IGNORE), "MPI_Waitall");
    }
    say_word();
    return {};
  }

  void post(int half) {
    for (int i = half * window_; i < (half + 1) * window_; ++i) {
      check(MPI_Irecv(buffer_[i].data(), count_, MPI_BYTE, channel_.peer, channel_.recv_tag, channel_.comm, request(i)),
            "MPI_Irecv");
    }
    say_word();
  }

  void say_word() {
    check(MPI_Send(nullptr, 0, MPI_BYTE, channel_.peer, channel_.send_tag, channel_.comm), "MPI_Send");
  }
  void await_word() {
    check(MPI_Recv(nullptr, 0, MPI_BYTE, channel_.peer, channel_.recv_tag, channel_.comm, MPI_STATUS_IGNORE),
          "MPI_Recv");
  }
  MPI_Request* request(int i) { return &requests_[static_cast<std::size_t>(i)]; }

  const Channel channel_;
  const bool sends_;
  const int flow_;
  const int window_;
  const int count_;
  Slots buffer_;
  std::vector<MPI_Request> requests_;
};

}  // namespace raddle::bench
