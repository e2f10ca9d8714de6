// SPDX-License-Identifier: BSD-3-Clause
// An exchange in which ranks are threads of one process: what is for these is handed over, the rest goes its way.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sparse/board.hpp"
#include "sparse/message.hpp"
#include "sparse/sink.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Handover final : public Way {
 public:
  /// @param messages  to members of the board @param rest  of the others; nullptr: there are none
  Handover(Board& board, int member, std::uint64_t round, std::span<const Message> messages, Sink& sink,
           std::unique_ptr<Way> rest)
      : board_(board), member_(member), round_(round), sink_(sink), rest_(std::move(rest)) {
    board_.post(member_, round_, messages);
  }

  Step step() override {
    bool moved = false;
    if (!taken_ && board_.complete(round_)) {
      board_.take(member_, round_, sink_);
      taken_ = moved = true;
    }
    if (rest_) {
      const Step step = rest_->step();
      if (step == Step::over) rest_.reset();
      moved = moved || step != Step::idle;
    }
    return taken_ && !rest_ && board_.taken(member_, round_) ? Step::over : moved_if(moved);
  }

  [[nodiscard]] bool asks_mpi() const override { return rest_ && rest_->asks_mpi(); }

 private:
  Board& board_;
  int member_;
  std::uint64_t round_;
  Sink& sink_;
  std::unique_ptr<Way> rest_;
  bool taken_ = false;
};

}  // namespace raddle::sparse
