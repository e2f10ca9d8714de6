// SPDX-License-Identifier: BSD-3-Clause
#include "core/whereabouts.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace raddle::bench {
namespace {

thread_local Whereabouts unseen;
thread_local Whereabouts* mine = nullptr;

}  // namespace

std::string Whereabouts::text() const {
  const char* call = call_.load(std::memory_order_relaxed);
  if (call == nullptr) return "between calls";
  const int peer = peer_.load(std::memory_order_relaxed);
  if (peer == nobody) return bench::text("in ", call);
  return bench::text("in ", call, ", peer rank ", peer, ", tag ", tag_.load(std::memory_order_relaxed));
}

Board& Board::instance() {
  static Board board;
  return board;
}

void Board::sit(const Seat& seat) {
  const std::lock_guard lock(guard_);
  const auto free = std::ranges::find(slots_, false, &ThreadSlot::taken);
  ThreadSlot& slot = free == slots_.end() ? slots_.emplace_back() : *free;
  slot.seat = seat;
  slot.taken = true;
  slot.where.enter(nullptr);
  mine = &slot.where;
}

void Board::leave() {
  const std::lock_guard lock(guard_);
  for (ThreadSlot& slot : slots_) {
    if (&slot.where == mine) slot.taken = false;
  }
  mine = nullptr;
}

void Board::stage(std::string what) {
  const std::lock_guard lock(guard_);
  stage_ = std::move(what);
  moved();
}

std::vector<std::string> Board::lines() const {
  const std::lock_guard lock(guard_);
  std::vector<std::string> lines{stage_};
  for (const ThreadSlot& slot : slots_) {
    if (!slot.taken) continue;
    const Seat& seat = slot.seat;
    lines.push_back(text("process ", seat.process, ", thread ", seat.thread, " (flow ", seat.flow, ", party ",
                         seat.party, "): ", slot.where.text()));
  }
  return lines;
}

Whereabouts& here() noexcept { return mine == nullptr ? unseen : *mine; }

}  // namespace raddle::bench
