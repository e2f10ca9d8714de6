// SPDX-License-Identifier: BSD-3-Clause
#include "core/watchdog.hpp"

#include <algorithm>
#include <chrono>

#include "core/text.hpp"
#include "core/whereabouts.hpp"

namespace raddle::bench {

Watchdog::Watchdog(double patience, std::function<void(const std::string&)> bark)
    : bark_(std::move(bark)), thread_([this, patience] { watch(patience); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(guard_);
    over_ = true;
  }
  end_.notify_one();
  thread_.join();
}

void Watchdog::watch(double patience) {
  using Clock = std::chrono::steady_clock;
  // Seldom, since it takes a CPU from whoever is measured there.
  const auto interval = std::chrono::duration<double>(std::min(1.0, patience / 4));
  const Board& board = Board::instance();
  std::uint64_t seen = board.moves();
  auto since = Clock::now();
  std::unique_lock lock(guard_);
  while (!end_.wait_for(lock, interval, [this] { return over_; })) {
    if (const std::uint64_t moves = board.moves(); moves != seen) {
      seen = moves;
      since = Clock::now();
    } else if (Clock::now() - since >= std::chrono::duration<double>(patience)) {
      std::string report = text("nothing moved for ", patience, " s");
      for (const std::string& line : board.lines()) report += "; " + line;
      bark_(report);
      return;
    }
  }
}

}  // namespace raddle::bench
