// SPDX-License-Identifier: BSD-3-Clause
// Messages handed over between threads. Under ThreadSanitizer as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "platform/waiting.hpp"
#include "sparse/arrivals.hpp"
#include "sparse/board.hpp"
#include "sparse_members.hpp"

namespace raddle::sparse {
namespace {

/// One thread's rounds; its memory changes as soon as a round is over.
void take_part(Board& board, const Traffic& traffic, int rank, int rounds) {
  const int member = board.member(rank);
  for (std::uint64_t round = 0; round < static_cast<std::uint64_t>(rounds); ++round) {
    auto mine = traffic.sent_by(rank, round);
    std::vector<Message> messages;
    for (const auto& [to, bytes] : mine) messages.push_back({to, bytes});
    board.post(member, round, messages);
    platform::Waiting waiting(true);
    while (!board.complete(round)) waiting.turn();
    Arrivals arrivals(0);
    board.take(member, round, arrivals);
    while (!board.taken(member, round)) waiting.turn();
    for (auto& [to, bytes] : mine) spoil(bytes);
    traffic.expect_all(rank, round, std::move(arrivals));
  }
}

TEST(SparseBoard, HandsOverWhatEachHasForEach) {
  const auto seed = static_cast<unsigned>(test::new_seed());
  for (const std::vector<int>& ranks : {std::vector{0, 1}, std::vector{2, 5, 9}, std::vector{0, 1, 2, 3}}) {
    Board board(ranks);
    const Traffic traffic{ranks, {0, 8, 300, Board::most_copied, Board::most_copied + 1}, 4, seed};
    std::vector<std::thread> threads;
    for (const int rank : ranks)
      threads.emplace_back([&, rank] { take_part(board, traffic, rank, 300 * test::effort()); });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(SparseBoard, KnowsItsMembers) {
  const Board board({2, 5, 9});
  EXPECT_EQ(board.member(2), 0);
  EXPECT_EQ(board.member(9), 2);
  EXPECT_EQ(board.member(3), -1);
  EXPECT_EQ(board.member(10), -1);
}

/// A round is not complete before the last has laid out what it has, whatever the others do.
TEST(SparseBoard, WaitsForTheLast) {
  Board board({0, 1});
  board.post(0, 0, {});
  EXPECT_FALSE(board.complete(0));
  board.post(1, 0, {});
  EXPECT_TRUE(board.complete(0));
  EXPECT_FALSE(board.complete(1));
}

/// A large message stays the sender's until it has been copied.
TEST(SparseBoard, HoldsTheSenderOfALargeMessage) {
  Board board({0, 1});
  const Bytes large(Board::most_copied + 1);
  const Message message{1, large};
  board.post(0, 0, {&message, 1});
  board.post(1, 0, {});
  EXPECT_FALSE(board.taken(0, 0));
  Arrivals arrivals(0);
  board.take(1, 0, arrivals);
  EXPECT_TRUE(board.taken(0, 0));
}

}  // namespace
}  // namespace raddle::sparse
