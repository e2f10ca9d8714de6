// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/round_probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "platform/copy_bytes.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints::collectives {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t message = std::size_t{1} << 20U;
constexpr int tries = 4;  // of each; the least time counts, since others can only make it longer
constexpr double clearly = 0.85;

}  // namespace

/// @returns false: it does not come, or the probe is over
bool RoundProbe::await(const std::function<bool()>& there) const {
  constexpr auto patience = std::chrono::milliseconds(100);
  const Clock::time_point begin = Clock::now();
  platform::Waiting waiting(false);
  while (!there()) {
    if (chosen() != 0 || Clock::now() - begin > patience) return false;
    waiting.turn();
  }
  return true;
}

void RoundProbe::lead(const Rooms& rooms) {
  std::array<double, candidates.size()> least{};
  least.fill(1e9);
  std::uint64_t number = 0;
  bool answered = await([&] { return follows_.load(std::memory_order_acquire) != 0; });
  const std::vector<std::byte> data(message);
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (std::size_t which = 0; which < candidates.size(); ++which) {
      const std::size_t bytes = std::min(candidates[which], rooms.bytes);
      const Clock::time_point begin = Clock::now();
      for (std::size_t at = 0; answered && at + bytes <= message; at += bytes, ++number) {
        answered = await([&] { return number < taken_.load(std::memory_order_acquire) + rooms.count; });
        if (!answered) break;
        std::memcpy(rooms.room(number), data.data() + at, bytes);
        put_.store(number + 1, std::memory_order_release);
      }
      answered = answered && await([&] { return taken_.load(std::memory_order_acquire) == number; });
      least[which] = std::min(least[which], std::chrono::duration<double>(Clock::now() - begin).count());
    }
  }
  tell(candidates[answered && least[1] < clearly * least[0] ? 1 : 0]);
}

void RoundProbe::follow(const Rooms& rooms) {
  follows_.store(1, std::memory_order_release);
  if (!await([&] { return put_.load(std::memory_order_acquire) > 0; })) return;  // mostly it is known
  std::vector<std::byte> data(message);
  std::uint64_t number = 0;
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (const std::size_t candidate : candidates) {
      const std::size_t bytes = std::min(candidate, rooms.bytes);
      for (std::size_t at = 0; at + bytes <= message; at += bytes, ++number) {
        if (!await([&] { return put_.load(std::memory_order_acquire) > number; })) return;
        std::memcpy(data.data() + at, rooms.room(number), bytes);
        if (candidate == candidates[0]) platform::keep_lines(rooms.room(number), bytes);
        taken_.store(number + 1, std::memory_order_release);
      }
    }
  }
}

}  // namespace raddle::endpoints::collectives
