// SPDX-License-Identifier: BSD-3-Clause
// Which short messages to another node wait for the next ones, to leave in one message of the MPI.
//
// The first ones to a peer leave at once. The next ones wait, if nothing else has happened in between: until there are
// enough of them, until one comes late, or until any call makes a step. While the program computes that is Raddle's
// thread in the background, after 0.2 to 0.6 ms; where that was seen, none waits for a while.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "platform/waiting.hpp"

namespace raddle::direct {

template <typename On = platform::Machine>
class BasicCoalescing {
 public:
  // These leave before others wait: short messages, and requests to send, which are best told together.
  static constexpr std::uint32_t eager_at_once = 2;
  static constexpr std::uint32_t rts_at_once = 1;
  static constexpr std::uint32_t most = 16;  ///< wait; then the receiver has to do as well
  static constexpr std::size_t most_bytes = std::size_t{4} * 1024;
  static constexpr auto young = std::chrono::microseconds(20);  ///< those that wait may be so old when one comes
  static constexpr auto late = std::chrono::microseconds(200);  ///< when the step has come too late
  static constexpr std::uint64_t first_pause = 1024;  ///< messages; twice as many each time, half where none was late
  static constexpr std::uint64_t longest_pause = 1 << 20;

  /// @param possible  whether a step is made while the program computes
  explicit BasicCoalescing(bool possible) : possible_(possible) {}

  /// A message is about to leave. @param at_once  so many leave before others wait @returns whether it waits
  [[nodiscard]] bool waits(int peer, std::size_t bytes, std::uint32_t at_once) {
    if (!possible_) return false;
    row_ = peer == peer_ ? row_ + 1 : 1;
    peer_ = peer;
    if (left_of_pause_ > 0) {
      --left_of_pause_;
      return false;
    }
    if (row_ <= at_once || bytes > most_bytes) return false;
    const auto now = On::now();
    if (number_ == 0) since_ = now;
    ++number_;
    bytes_ += bytes;
    enough_ = number_ >= most || bytes_ >= most_bytes || now - since_ > young;
    return true;
  }

  /// Something has to leave that comes after those that wait.
  void hurry() { enough_ = number_ > 0; }
  /// Whether those that wait have to leave now.
  [[nodiscard]] bool enough() const { return enough_; }
  [[nodiscard]] bool any() const { return number_ > 0; }
  [[nodiscard]] bool only_one() const { return number_ == 1; }

  /// A step is made: what waits leaves.
  void leave() {
    row_ = 0;
    if (number_ == 0) return;
    if (On::now() - since_ > late) {
      left_of_pause_ = pause_;
      pause_ = std::min(2 * pause_, longest_pause);
    } else {
      pause_ = std::max(pause_ / 2, first_pause);
    }
    number_ = 0;
    bytes_ = 0;
    enough_ = false;
  }

 private:
  bool possible_;
  int peer_ = -1;
  std::uint32_t row_ = 0;     ///< messages to this peer, one after the other
  std::uint32_t number_ = 0;  ///< that wait
  std::size_t bytes_ = 0;
  bool enough_ = false;
  On::Clock::time_point since_{};
  std::uint64_t left_of_pause_ = 0;
  std::uint64_t pause_ = first_pause;
};

using Coalescing = BasicCoalescing<>;

}  // namespace raddle::direct
