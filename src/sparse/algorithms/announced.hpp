// SPDX-License-Identifier: BSD-3-Clause
// What the algorithms have in common in which an MPI_Alltoall announces all sizes, O(P) memory and volume.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.1 (personalized exchange).
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <span>
#include <vector>

#include "sparse/algorithm.hpp"
#include "sparse/point_to_point.hpp"

namespace raddle::sparse::algorithms {

class Announced : public Way {
 public:
  Step step() final {
    bool moved = false;
    if (!known_) {
      if (!completed(announcing_)) return Step::idle;
      known_ = moved = true;
      announced();
    }
    moved = receiver_.settle() || moved;
    if (!together_over_ && together_is_over()) together_over_ = moved = true;
    return receiver_.idle() && together_over_ && sender_.done() ? Step::over : moved_if(moved);
  }

 protected:
  /// What a rank announces to another: nothing, one message of so many bytes, or so many messages, whose sizes show
  /// when they come. An int: MPIs are quick with so little.
  using Code = int;
  [[nodiscard]] static bool is_one(Code code) { return code > 0; }
  [[nodiscard]] static std::size_t bytes_of(Code one) { return static_cast<std::size_t>(one - 1); }

  /// @param most_together  bytes of a message that travels together with others, if it is the only one for its rank;
  ///   negative: none does. The others are sent at once
  Announced(const Exchange& exchange, Code most_together)
      : round_(exchange.round),
        blocks_(most_together >= 0 && exchange.blocks),
        messages_(exchange.messages.begin(), exchange.messages.end()),
        sink_(exchange.sink),
        to_(static_cast<std::size_t>(round_.size), 0),
        from_(static_cast<std::size_t>(round_.size), 0),
        most_together_(most_together),
        sender_(round_, exchange.kind),
        receiver_(round_, exchange.kind, sink_) {
    for (const Message& message : messages_) {
      Code& code = to_[static_cast<std::size_t>(message.rank)];
      if (code != 0) {
        code = std::min(code, -1) - 1;
      } else {
        code = message.bytes.size() < INT_MAX ? static_cast<Code>(message.bytes.size() + 1) : -1;
      }
    }
    for (const Message& message : messages_) {
      if (!together(to_[static_cast<std::size_t>(message.rank)])) sender_.send(message);
    }
    if (blocks_) {
      check(MPI_Alltoall(to_.data(), 1, MPI_INT, from_.data(), 1, MPI_INT, round_.comm));
    } else {
      check(MPI_Ialltoall(to_.data(), 1, MPI_INT, from_.data(), 1, MPI_INT, round_.comm, &announcing_));
    }
  }

  /// Whether it travels together with others: both sides say the same.
  [[nodiscard]] bool together(Code code) const { return is_one(code) && code - 1 <= most_together_; }

  /// All codes are known: those that travel together begin to.
  virtual void start_together() {}
  [[nodiscard]] virtual bool together_is_over() { return true; }

  const Round round_;
  const bool blocks_;
  std::vector<Message> messages_;
  Sink& sink_;
  std::vector<Code> to_;
  std::vector<Code> from_;

 private:
  void announced() {
    std::size_t ones = 0;
    std::size_t total = 0;
    for (const Code code : from_) {
      if (!is_one(code)) continue;
      ++ones;
      total += bytes_of(code);
    }
    sink_.expect(ones, total);
    start_together();
    for (int source = 0; source < round_.size; ++source) {
      const Code code = from_[static_cast<std::size_t>(source)];
      if (is_one(code) && !together(code)) receiver_.expect(source, bytes_of(code));
      if (code < 0) receiver_.await(source, static_cast<std::size_t>(-code));
    }
  }

  const Code most_together_;
  Sender sender_;
  Receiver receiver_;
  MPI_Request announcing_ = MPI_REQUEST_NULL;
  bool known_ = false;
  bool together_over_ = false;
};

}  // namespace raddle::sparse::algorithms
