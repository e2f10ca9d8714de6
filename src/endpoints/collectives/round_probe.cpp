// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/round_probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <vector>

#include "node/cross_memory.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints::collectives {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t whole = std::size_t{1} << 20U;
constexpr int tries = 4;  // of each; the least time counts, since others can only make it longer
constexpr double clearly = 0.92;
constexpr double never = 1e9;

/// As NodeMeeting cuts a message.
std::size_t piece_of(std::size_t length, std::size_t most) {
  constexpr std::size_t least = std::size_t{16} * 1024;
  return std::clamp(length / 8, std::min(least, most), most);
}

}  // namespace

/// @returns false: it does not come, or the probe is over
bool RoundProbe::await(const std::function<bool()>& there) const {
  constexpr auto patience = std::chrono::milliseconds(100);
  const Clock::time_point begin = Clock::now();
  platform::Waiting waiting(false);
  while (!there()) {
    if (chosen() || Clock::now() - begin > patience) return false;
    waiting.turn();
  }
  return true;
}

template <typename Put>
std::optional<double> RoundProbe::send(std::uint64_t& number, std::size_t length, std::size_t piece, std::size_t ahead,
                                       Put&& put) {
  const Clock::time_point begin = Clock::now();
  for (std::size_t at = 0; at + piece <= whole; at += piece) {
    if (!await([&] { return number < taken_.load(std::memory_order_acquire) + ahead; })) return std::nullopt;
    put(at);
    put_.store(++number, std::memory_order_release);
    const bool ends = (at + piece) % length == 0 || at + 2 * piece > whole;
    if (ends && !await([&] { return taken_.load(std::memory_order_acquire) == number; })) return std::nullopt;
  }
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <typename Take>
bool RoundProbe::take(std::uint64_t& number, std::size_t piece, Take&& take_one) {
  for (std::size_t at = 0; at + piece <= whole; at += piece) {
    if (!await([&] { return put_.load(std::memory_order_acquire) > number; })) return false;
    take_one(at);
    taken_.store(++number, std::memory_order_release);
  }
  return true;
}

void RoundProbe::lead(const Rooms& rooms) {
  const std::vector<std::byte> data(whole, std::byte{1});
  from_.store(reinterpret_cast<std::uintptr_t>(data.data()), std::memory_order_relaxed);
  Choice best;
  std::uint64_t number = 0;
  if (await([&] { return follows_.load(std::memory_order_acquire) != 0; })) {
    best.rounds = best_rounds(rooms, number, data);
    rounds_.store(best.rounds + 1, std::memory_order_release);
    best.referred = first_referred(rooms, number, data, best.rounds);
  }
  tell(best);
}

/// @returns the first if there is no answer
std::size_t RoundProbe::best_rounds(const Rooms& rooms, std::uint64_t& number, std::span<const std::byte> data) {
  std::array<double, candidates.size()> least{};
  least.fill(never);
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (std::size_t which = 0; which < candidates.size(); ++which) {
      const std::size_t piece = std::min(candidates[which].bytes, rooms.bytes);
      const auto seconds = send(number, whole, piece, rooms.count,
                                [&](std::size_t at) { std::memcpy(rooms.room(number), data.data() + at, piece); });
      if (!seconds) return 0;
      least[which] = std::min(least[which], *seconds);
    }
  }
  std::size_t best = 0;
  for (std::size_t which = 1; which < candidates.size(); ++which) {
    if (least[which] < clearly * least[best]) best = which;
  }
  return best;
}

/// @returns none if there is no answer
std::size_t RoundProbe::first_referred(const Rooms& rooms, std::uint64_t& number, std::span<const std::byte> data,
                                       std::size_t best) {
  std::array<double, lengths.size()> through{};
  std::array<double, lengths.size()> referred{};
  through.fill(never);
  referred.fill(never);
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (std::size_t which = 0; which < lengths.size(); ++which) {
      const std::size_t piece = piece_of(lengths[which], std::min(candidates[best].bytes, rooms.bytes));
      const auto seconds = send(number, lengths[which], piece, rooms.count,
                                [&](std::size_t at) { std::memcpy(rooms.room(number), data.data() + at, piece); });
      const auto of_system = send(number, lengths[which], lengths[which], 1, [](std::size_t) {});
      if (!seconds || !of_system) return lengths.size();
      through[which] = std::min(through[which], *seconds);
      referred[which] = std::min(referred[which], *of_system);
    }
  }
  if (cannot_refer_.load(std::memory_order_acquire) != 0) return lengths.size();
  std::size_t first = lengths.size();
  while (first > 0 && referred[first - 1] < clearly * through[first - 1]) --first;
  return first;
}

bool RoundProbe::take_rounds(const Rooms& rooms, std::uint64_t& number, std::span<std::byte> data, const Rounds& rounds,
                             std::size_t piece) {
  return take(number, piece, [&](std::size_t at) {
    std::memcpy(data.data() + at, rooms.room(number), piece);
    if (rounds.gives_back && piece <= least_round) platform::keep_lines(rooms.room(number), piece);
  });
}

void RoundProbe::follow(const Rooms& rooms, std::optional<pid_t> leader) {
  cannot_refer_.store(leader ? 0 : 1, std::memory_order_relaxed);
  follows_.store(1, std::memory_order_release);
  if (!await([&] { return put_.load(std::memory_order_acquire) > 0; })) return;  // mostly it is known
  std::vector<std::byte> room(whole);
  const std::span<std::byte> data(room);
  std::uint64_t number = 0;
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (const Rounds& candidate : candidates) {
      if (!take_rounds(rooms, number, data, candidate, std::min(candidate.bytes, rooms.bytes))) return;
    }
  }
  if (!await([&] { return rounds_.load(std::memory_order_acquire) != 0; })) return;
  const Rounds& best = candidates[rounds_.load(std::memory_order_relaxed) - 1];
  const std::uintptr_t from = from_.load(std::memory_order_relaxed);
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (const std::size_t length : lengths) {
      if (!take_rounds(rooms, number, data, best, piece_of(length, std::min(best.bytes, rooms.bytes)))) return;
      const bool goes_on = take(number, length, [&](std::size_t at) {
        if (!leader || !node::copy_from(*leader, from + at, data.subspan(at, length)))
          cannot_refer_.store(1, std::memory_order_release);
      });
      if (!goes_on) return;
    }
  }
}

}  // namespace raddle::endpoints::collectives
