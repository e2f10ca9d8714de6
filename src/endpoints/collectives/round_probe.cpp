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

/// As a program that writes anew what it sends: no other core has the lines then.
void write(std::span<std::byte> data) { std::memset(data.data(), std::to_integer<int>(data.front()) ^ 1, data.size()); }

/// As NodeMeeting cuts a message.
std::size_t piece_of(std::size_t length, std::size_t most) {
  constexpr std::size_t least = std::size_t{16} * 1024;
  return std::clamp(length / 8, std::min(least, most), most);
}

}  // namespace

/// @returns false: it does not come, or the probe is over
bool RoundProbe::await(const std::function<bool()>& there) const {
  const Clock::time_point begin = Clock::now();
  platform::Waiting waiting(false);
  while (!there()) {
    if (chosen() || Clock::now() - begin > std::chrono::milliseconds(patience_)) return false;
    waiting.turn();
  }
  return true;
}

/// One brings and the other one takes. @returns seconds; nothing: there is no answer
std::optional<double> RoundProbe::send(const Rooms& rooms, std::uint64_t& number, std::span<std::byte> data,
                                       std::size_t piece) {
  write(data);
  const Clock::time_point begin = Clock::now();
  for (std::size_t at = 0; at + piece <= whole; at += piece) {
    if (!await([&] { return number < follower_.taken.load(std::memory_order_acquire) + rooms.count; }))
      return std::nullopt;
    std::memcpy(rooms.room(number), data.data() + at, piece);
    leader_.brought.store(++number, std::memory_order_release);
  }
  if (!await([&] { return follower_.taken.load(std::memory_order_acquire) == number; })) return std::nullopt;
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool RoundProbe::take(const Rooms& rooms, std::uint64_t& number, std::span<std::byte> data, bool gives_back,
                      std::size_t piece) {
  for (std::size_t at = 0; at + piece <= whole; at += piece) {
    if (!await([&] { return leader_.brought.load(std::memory_order_acquire) > number; })) return false;
    std::memcpy(data.data() + at, rooms.room(number), piece);
    if (gives_back && piece <= least_round) platform::keep_lines(rooms.room(number), piece);
    follower_.taken.store(++number, std::memory_order_release);
  }
  return true;
}

/// Both bring and take the same, as in MPI_Alltoall.
/// @param piece  how much at a time; 0: the system copies messages whole
/// @returns seconds; nothing: there is no answer
std::optional<double> RoundProbe::exchange(const Exchange& with, std::uint64_t& number, std::size_t length,
                                           std::size_t piece) {
  Side& own = with.leads ? leader_ : follower_;
  const Side& other = with.leads ? follower_ : leader_;
  const std::size_t half = with.rooms.bytes / 2;
  const bool refers = piece == 0;
  const std::size_t step = refers ? length : piece;
  const std::uint64_t ahead = refers ? 1 : with.rooms.count;
  write(with.data);
  const Clock::time_point begin = Clock::now();
  for (std::size_t at = 0; at + step <= whole; at += step) {
    if (!await([&] { return number < other.taken.load(std::memory_order_acquire) + ahead; })) return std::nullopt;
    std::byte* const room = with.rooms.room(number);
    if (!refers) std::memcpy(room + (with.leads ? 0 : half), with.data.data() + at, step);
    own.brought.store(number + 1, std::memory_order_release);
    if (!await([&] { return other.brought.load(std::memory_order_acquire) > number; })) return std::nullopt;
    if (!refers) {
      std::byte* const there = room + (with.leads ? half : 0);
      std::memcpy(with.got.data() + at, there, step);
      if (with.gives_back && step <= least_round) platform::keep_lines(there, step);
    } else if (!with.other || !node::copy_from(*with.other, other.from.load(std::memory_order_relaxed) + at,
                                               with.got.subspan(at, step))) {
      cannot_refer_.store(1, std::memory_order_release);
    }
    own.taken.store(++number, std::memory_order_release);
  }
  if (!await([&] { return other.taken.load(std::memory_order_acquire) == number; })) return std::nullopt;
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool RoundProbe::lead(const Rooms& rooms, std::optional<pid_t> follower, std::uint64_t patience) {
  patience_.store(patience, std::memory_order_relaxed);
  std::vector<std::byte> data(whole);
  std::vector<std::byte> got(whole);
  leader_.from.store(reinterpret_cast<std::uintptr_t>(data.data()), std::memory_order_relaxed);
  Choice best;
  std::uint64_t number = 0;
  bool answered = await([&] { return follows_.load(std::memory_order_acquire) != 0; });
  if (answered) {
    const auto rounds = best_rounds(rooms, number, data);
    best.rounds = rounds.value_or(0);
    answered = rounds.has_value();
  }
  if (answered) {
    leader_.taken.store(number, std::memory_order_relaxed);  // from here on both bring
    rounds_.store(best.rounds + 1, std::memory_order_release);
    const Rounds& chosen = candidates[best.rounds];
    const auto referred = first_referred({rooms, follower, data, got, chosen.gives_back, true}, number, chosen.bytes);
    best.referred = referred.value_or(lengths.size());
    answered = referred.has_value();
  }
  tell(best);
  return answered;
}

/// @returns nothing: there is no answer
std::optional<std::size_t> RoundProbe::best_rounds(const Rooms& rooms, std::uint64_t& number,
                                                   std::span<std::byte> data) {
  std::array<double, candidates.size()> least{};
  least.fill(never);
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (std::size_t which = 0; which < candidates.size(); ++which) {
      const auto seconds = send(rooms, number, data, std::min(candidates[which].bytes, rooms.bytes));
      if (!seconds) return std::nullopt;
      least[which] = std::min(least[which], *seconds);
    }
  }
  std::size_t best = 0;
  for (std::size_t which = 1; which < candidates.size(); ++which) {
    if (least[which] < clearly * least[best]) best = which;
  }
  return best;
}

/// Of both sides. @returns nothing: there is no answer
std::optional<std::size_t> RoundProbe::first_referred(const Exchange& with, std::uint64_t& number, std::size_t most) {
  std::array<double, lengths.size()> through{};
  std::array<double, lengths.size()> referred{};
  through.fill(never);
  referred.fill(never);
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (std::size_t which = 0; which < lengths.size(); ++which) {
      const std::size_t piece = piece_of(lengths[which], std::min(most, with.rooms.bytes / 2));
      const auto seconds = exchange(with, number, lengths[which], piece);
      const auto of_system = seconds ? exchange(with, number, lengths[which], 0) : std::nullopt;
      if (!of_system) return std::nullopt;
      through[which] = std::min(through[which], *seconds);
      referred[which] = std::min(referred[which], *of_system);
    }
  }
  if (cannot_refer_.load(std::memory_order_acquire) != 0) return lengths.size();
  std::size_t first = lengths.size();
  while (first > 0 && referred[first - 1] < clearly * through[first - 1]) --first;
  return first;
}

void RoundProbe::follow(const Rooms& rooms, std::optional<pid_t> leader, std::uint64_t patience) {
  patience_.store(patience, std::memory_order_relaxed);
  std::vector<std::byte> data;
  std::vector<std::byte> got;
  cannot_refer_.store(0, std::memory_order_relaxed);
  follows_.store(1, std::memory_order_release);
  if (!await([&] { return leader_.brought.load(std::memory_order_acquire) > 0; })) return;  // mostly it is known
  data.resize(whole);
  got.resize(whole);
  follower_.from.store(reinterpret_cast<std::uintptr_t>(data.data()), std::memory_order_relaxed);
  std::uint64_t number = 0;
  for (int attempt = 0; attempt < tries; ++attempt) {
    for (const Rounds& candidate : candidates) {
      if (!take(rooms, number, got, candidate.gives_back, std::min(candidate.bytes, rooms.bytes))) return;
    }
  }
  if (!await([&] { return rounds_.load(std::memory_order_acquire) != 0; })) return;
  const Rounds& best = candidates[rounds_.load(std::memory_order_relaxed) - 1];
  first_referred({rooms, leader, data, got, best.gives_back, false}, number, best.bytes);
}

}  // namespace raddle::endpoints::collectives
