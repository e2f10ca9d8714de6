// SPDX-License-Identifier: BSD-3-Clause
// Deliveries that come in any order, and what the program gets of them; bundles of them under way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sparse/arrivals.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {
namespace {

using Delivery = std::pair<int, std::string>;
using Deliveries = std::vector<Delivery>;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void arrive(Arrivals& arrivals, const Delivery& message) {
  std::byte* const room = arrivals.room(message.first, message.second.size());
  std::ranges::copy(bytes_of(message.second), room);
  arrivals.arrived(message.first, {room, message.second.size()});
}

Deliveries messages_of(const Rows& rows) {
  Deliveries all;
  EXPECT_EQ(rows.offsets.size(), rows.ranks.size() + 1);
  EXPECT_EQ(rows.offsets.front(), 0U);
  for (std::size_t i = 0; i < rows.ranks.size(); ++i)
    all.emplace_back(rows.ranks[i],
                     text_of({rows.data.get() + rows.offsets[i], rows.offsets[i + 1] - rows.offsets[i]}));
  return all;
}

/// With messages of every length, so that some fit into what was guessed and some do not.
Deliveries many() {
  Deliveries all;
  for (int i = 0; i < 200; ++i)
    all.emplace_back(i * 7 % 11, std::string(static_cast<std::size_t>(i * 37 % 450), static_cast<char>('a' + i % 26)));
  return all;
}

TEST(SparseArrivals, ComeAsTheyCame) {
  for (const std::size_t guess : {std::size_t{0}, std::size_t{3000}, std::size_t{1'000'000}}) {
    Arrivals arrivals(guess);
    std::size_t bytes = 0;
    for (const Delivery& message : many()) {
      arrive(arrivals, message);
      bytes += message.second.size();
    }
    EXPECT_EQ(arrivals.bytes(), bytes);
    EXPECT_EQ(messages_of(std::move(arrivals).rows(false)), many());
  }
}

TEST(SparseArrivals, AreSortedByRankAndKeepTheOrderOfEach) {
  for (const std::size_t guess : {std::size_t{0}, std::size_t{1'000'000}}) {
    Arrivals arrivals(guess);
    Deliveries expected = many();
    for (const Delivery& message : expected) arrive(arrivals, message);
    std::ranges::stable_sort(expected, {}, &Delivery::first);
    EXPECT_EQ(messages_of(std::move(arrivals).rows(true)), expected);
  }
}

TEST(SparseArrivals, MayBeNoneOrEmpty) {
  for (const bool sorted : {false, true}) {
    EXPECT_EQ(messages_of(Arrivals(0).rows(sorted)), Deliveries{});
    const Deliveries empty{{3, ""}, {1, ""}, {3, ""}};
    Arrivals arrivals(0);
    for (const Delivery& message : empty) arrive(arrivals, message);
    EXPECT_EQ(messages_of(std::move(arrivals).rows(sorted)), sorted ? (Deliveries{{1, ""}, {3, ""}, {3, ""}}) : empty);
  }
}

/// What is announced lies in one piece, wherever the messages before it have ended.
TEST(SparseArrivals, ThatAreExpectedLieInOnePiece) {
  Arrivals arrivals(100);
  arrive(arrivals, {2, std::string(1000, 'x')});
  arrivals.expect(3, 300'000);
  std::byte* const first = arrivals.room(0, 100'000);
  std::byte* const second = arrivals.room(1, 0);
  std::byte* const third = arrivals.room(1, 200'000);
  EXPECT_EQ(second, first + 100'000);
  EXPECT_EQ(third, second);
}

/// Rooms are given before anything has come into them, and are filled in another order.
TEST(SparseArrivals, MayFillTheirRoomsLater) {
  Arrivals arrivals(0);
  const Deliveries expected = many();
  std::vector<std::byte*> rooms;
  for (const Delivery& message : expected) rooms.push_back(arrivals.room(message.first, message.second.size()));
  for (std::size_t i = expected.size(); i-- > 0;) std::ranges::copy(bytes_of(expected[i].second), rooms[i]);
  EXPECT_EQ(messages_of(std::move(arrivals).rows(false)), expected);
}

TEST(SparseArena, MayBeUsedAgain) {
  Arena arena(10);
  for (int turn = 0; turn < 3; ++turn) {
    for (std::size_t bytes = 1; bytes < 5000; bytes *= 3) {
      std::byte* const room = arena.room(bytes);
      std::fill_n(room, bytes, std::byte{7});
    }
    arena.forget();
    EXPECT_TRUE(arena.in_one());
  }
}

TEST(SparseBundle, GivesWhatWasPutIntoIt) {
  Bundle bundle;
  const Deliveries expected = many();
  EXPECT_TRUE(bundle.bytes().empty());
  for (const auto& [rank, text] : expected) bundle.add({rank, 2 * rank + 1, bytes_of(text)});
  Deliveries got;
  Bundle::each(bundle.bytes(), [&got](const Item& item) {
    EXPECT_EQ(item.destination, 2 * item.source + 1);
    got.emplace_back(item.source, text_of(item.bytes));
  });
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace raddle::sparse
