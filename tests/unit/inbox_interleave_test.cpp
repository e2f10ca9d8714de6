// SPDX-License-Identifier: BSD-3-Clause
// The inbox in every order in which the accesses of two senders and the receiver can follow one another.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "effort.hpp"
#include "engines/inbox.hpp"
#include "interleave.hpp"

namespace raddle::engines {
namespace {

using test::interleave::explore;
using test::interleave::Options;
using test::interleave::plain_read;
using test::interleave::plain_write;
using test::interleave::Result;

constexpr std::uint64_t cells = 4;
constexpr std::size_t one_cell = 56;
constexpr std::size_t two_cells = one_cell + Inbox::cell_bytes;

/// What would be an entry if it was looked for in the second cell of the first entry, a lap later.
constexpr std::uint64_t word_of_next_lap = (cells + 1 + cells) << 16U | 1U;

/// A ring, which so many cells of have been used and read before. `Atomic`: as the inbox's.
template <template <typename> class Atomic, std::uint64_t before>
struct World {
  using Tested = BasicInbox<Atomic>;

  World() : inbox(*new (memory.data()) Tested(cells)), reader(inbox) {
    for (std::uint64_t i = 0; i < before; ++i) {
      send(9, one_cell, senders[0]);
      receive();
    }
    got.clear();
  }

  /// One try, an entry of one cell first in the short way. @returns whether there was room
  bool send(int number, std::size_t bytes, Tested::Sender& sender) {
    auto claim = bytes == one_cell ? inbox.claim_cell(sender) : typename Tested::Claim{};
    if (claim.place == nullptr) claim = inbox.claim(bytes, sender);
    if (claim.place == nullptr) return false;
    for (std::size_t at = 0; at < bytes; at += Inbox::cell_bytes) plain_write(claim.place + at);
    std::memset(claim.place, number, bytes);
    if (bytes == two_cells) std::memcpy(claim.place + one_cell, &word_of_next_lap, sizeof word_of_next_lap);
    inbox.publish(claim);
    return true;
  }

  void send(int number, std::size_t bytes, std::size_t from) {
    if (send(number, bytes, senders[from])) sent.at(from).push_back(number);
  }

  /// One try, first in the way of entries of one cell.
  void receive() {
    const auto one = [this](const std::byte* entry) {
      look_at(entry, one_cell);
      return true;
    };
    if (reader.read_cells(1, one) == 0) return;
    const std::byte* const entry = reader.front();
    if (entry == nullptr) return;
    look_at(entry, reader.bytes());
    reader.pop();
  }

  void look_at(const std::byte* entry, std::size_t bytes) {
    const std::byte first = *entry;
    plain_read(entry);
    for (std::size_t at = 0; at < bytes; ++at) {
      if (at % Inbox::cell_bytes == 0) plain_read(entry + at);
      if (entry[at] != first && (at < one_cell || at >= one_cell + sizeof word_of_next_lap)) torn = true;
    }
    got.push_back(std::to_integer<int>(first));
  }

  /// Reads what is left. Numbers of the first sender are below 4.
  std::string check() {
    for (std::uint64_t i = 0; i < 2 * cells; ++i) receive();
    if (torn) return "an entry of parts of others";
    std::array<std::vector<int>, 2> received;
    for (const int number : got) received[number < 4 ? 0 : 1].push_back(number);
    if (received != sent) return "not what was sent, in its order";
    if (!send(9, inbox.max_bytes(), senders[0])) return "no room, although all is read";
    return "";
  }

  alignas(64) std::array<std::byte, Tested::memory(cells)> memory{};
  Tested& inbox;
  Tested::Reader reader;
  std::array<typename Tested::Sender, 2> senders;
  std::array<std::vector<int>, 2> sent;
  std::vector<int> got;
  bool torn = false;
};

/// Two senders of so many bytes at a time, and the receiver.
template <template <typename> class Atomic, std::uint64_t before>
Result run(const Options& options, std::array<std::vector<std::size_t>, 2> sends, int looks) {
  using Tested = World<Atomic, before>;
  const auto sender = [&sends](std::size_t from) {
    return [&sends, from](Tested& world) {
      int number = from == 0 ? 1 : 4;
      for (const std::size_t bytes : sends[from]) world.send(number++, bytes, from);
    };
  };
  const auto receiver = [looks](Tested& world) {
    for (int look = 0; look < looks; ++look) world.receive();
  };
  return explore<Tested>(options, {sender(0), sender(1), receiver}, [](Tested& world) { return world.check(); });
}

template <typename T>
using Atomic = test::interleave::Atomic<T>;

/// Many orders more with more effort, up to all that there are; fewer under a sanitizer, which has nothing to add.
Options options() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  return {.preemptions = 1};
#endif
  const auto effort = static_cast<std::size_t>(test::effort());
  return {.preemptions = 1 + effort, .most = 100'000 * effort};
}

void expect_none_fails(const Result& result) {
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.executions, 100U);
}

TEST(InboxInterleave, SkipsTheEndOfTheRing) {
  expect_none_fails(run<Atomic, 3>(options(), {{{two_cells}, {one_cell}}}, 2));
}

TEST(InboxInterleave, RefusesWhatHasNoRoomAndUsesCellsAgain) {
  expect_none_fails(run<Atomic, 2>(options(), {{{two_cells, two_cells}, {two_cells}}}, 1));
}

TEST(InboxInterleave, TakesWhatLiesWhereAnEntrysMiddleLay) {
  expect_none_fails(run<Atomic, 0>(options(), {{{two_cells, one_cell}, {one_cell, one_cell}}}, 1));
}

// Spoilt versions, all of which must be found.

/// Entries that are not handed over: no load takes over what another thread had done before its store.
template <typename T>
struct Unordered : Atomic<T> {
  using Atomic<T>::Atomic;
  [[nodiscard]] T load(std::memory_order) const noexcept { return Atomic<T>::load(std::memory_order_relaxed); }
};

TEST(InboxInterleave, FindsThatEntriesAreNotHandedOver) {
  EXPECT_NE((run<Unordered, 0>(options(), {{{one_cell}, {}}}, 1).failure.find("may still be at")), std::string::npos);
}

/// Cells that are not handed back: only stores of control words release.
template <typename T>
struct KeptBack : Atomic<T> {
  using Atomic<T>::Atomic;
  void store(T value, std::memory_order order) noexcept {
    Atomic<T>::store(value, (value >> 16U) == 0 ? std::memory_order_relaxed : order);
  }
};

TEST(InboxInterleave, FindsThatCellsAreNotHandedBack) {
  EXPECT_NE((run<KeptBack, 2>(options(), {{{two_cells, two_cells, two_cells}, {}}}, 1).failure), "");
}

/// Claims that two may make at once.
template <typename T>
struct Careless : Atomic<T> {
  using Atomic<T>::Atomic;
  bool compare_exchange_weak(T&, T desired, std::memory_order order) noexcept {
    Atomic<T>::store(desired, order);
    return true;
  }
};

TEST(InboxInterleave, FindsThatTwoMayClaimTheSame) {
  EXPECT_NE((run<Careless, 0>(options(), {{{one_cell}, {one_cell}}}, 1).failure), "");
}

}  // namespace
}  // namespace raddle::engines
