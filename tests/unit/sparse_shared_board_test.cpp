// SPDX-License-Identifier: BSD-3-Clause
// Messages that lie in memory which processes share; here threads share it. Under ThreadSanitizer as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "node/shared_segment.hpp"
#include "platform/waiting.hpp"
#include "sparse/shared_board.hpp"
#include "sparse_members.hpp"

namespace raddle::sparse {
namespace {

/// What carries messages that find no room.
class Post {
 public:
  void send(std::uint64_t round, std::size_t from, const Message& message) {
    const std::lock_guard lock(guard_);
    under_way_[{round, from, message.rank}].emplace_back(message.bytes.begin(), message.bytes.end());
  }
  std::vector<Bytes> receive(std::uint64_t round, std::size_t from, int to) {
    const std::lock_guard lock(guard_);
    return std::exchange(under_way_[{round, from, to}], {});
  }

 private:
  std::mutex guard_;
  std::map<std::tuple<std::uint64_t, std::size_t, int>, std::vector<Bytes>> under_way_;
};

class SharedBoards : public ::testing::Test {
 protected:
  explicit SharedBoards(int members = 3)
      : members_(members),
        memory_(node::SharedSegment::create(SharedBoard::memory_of(static_cast<std::size_t>(members)))) {}
  [[nodiscard]] SharedBoard board(int member) const {
    return {memory_.bytes(), static_cast<std::size_t>(members_), static_cast<std::size_t>(member)};
  }

  int members_;
  node::SharedSegment memory_;
};

void take_part(SharedBoard board, Post& post, const Traffic& traffic, int member, int rounds) {
  for (std::uint64_t round = 0; round < static_cast<std::uint64_t>(rounds); ++round) {
    auto mine = traffic.sent_by(member, round);
    std::vector<Message> messages;
    for (const auto& [to, bytes] : mine) messages.push_back({to, bytes});
    // Carried before anybody can be told of them.
    for (const Message& message : messages) post.send(round, static_cast<std::size_t>(member), message);
    const std::vector<Message> apart = board.post(messages);
    for (auto& [to, bytes] : mine) {
      if (std::ranges::none_of(apart, [&](const Message& one) { return one.rank == to; })) spoil(bytes);
    }
    platform::Waiting waiting(platform::Patience::none);
    while (!board.complete()) waiting.turn();
    Arrivals arrivals(0);
    for (const SharedBoard::Apart& one : board.take(arrivals)) {
      const std::vector<Bytes> there = post.receive(round, one.member, member);
      if (!::testing::Test::HasFailure()) {
        EXPECT_EQ(there.size(), one.messages) << "from " << one.member << " in round " << round;
      }
      for (const Bytes& bytes : there) hand_over(arrivals, static_cast<int>(one.member), bytes);
    }
    traffic.expect_all(member, round, std::move(arrivals));
  }
}

/// From few small messages to more than there is room for.
TEST(SparseSharedBoard, HandsOverWhatEachHasForEach) {
  const auto seed = static_cast<unsigned>(test::new_seed());
  const std::vector<std::size_t> sizes{
      0, 1, 8, 300, SharedBoard::room / 4, SharedBoard::room / 2, SharedBoard::room + 1};
  for (const unsigned most : {3U, 9U, 40U}) {
    for (const std::vector<int>& ranks : {std::vector{0}, std::vector{0, 1}, std::vector{0, 1, 2, 3}}) {
      const std::size_t bytes = SharedBoard::memory_of(ranks.size());
      const auto memory = node::SharedSegment::create(bytes);
      const Traffic traffic{ranks, sizes, most, seed};
      Post post;
      std::vector<std::thread> threads;
      for (const int rank : ranks) {
        threads.emplace_back([&, rank] {
          const SharedBoard board(memory.bytes(), ranks.size(), static_cast<std::size_t>(rank));
          take_part(board, post, traffic, rank, 30 * test::effort());
        });
      }
      for (std::thread& thread : threads) thread.join();
    }
  }
}

/// A round is not complete before the last has laid out what it has, whatever the others do.
TEST_F(SharedBoards, WaitForTheLast) {
  SharedBoard first = board(0);
  SharedBoard second = board(1);
  SharedBoard third = board(2);
  EXPECT_TRUE(first.post({}).empty());
  EXPECT_TRUE(second.post({}).empty());
  EXPECT_FALSE(first.complete());
  EXPECT_TRUE(third.post({}).empty());
  EXPECT_TRUE(first.complete());
  Arrivals none(0);
  EXPECT_TRUE(first.take(none).empty());
  EXPECT_TRUE(first.post({}).empty());
  EXPECT_FALSE(first.complete());
  EXPECT_TRUE(second.complete());  // still the round before
}

/// What does not fit is told by number; all for a member or none, so that they stay in their order.
TEST_F(SharedBoards, SendApartWhatFindsNoRoom) {
  const Bytes large(SharedBoard::room);
  const Bytes small(16);
  SharedBoard sender = board(0);
  SharedBoard other = board(1);
  SharedBoard receiver = board(2);
  const std::vector<Message> messages{{2, small}, {1, small}, {2, large}, {2, small}};
  const std::vector<Message> apart = sender.post(messages);
  ASSERT_EQ(apart.size(), 3U);
  EXPECT_TRUE(std::ranges::all_of(apart, [](const Message& message) { return message.rank == 2; }));
  EXPECT_EQ(apart[1].bytes.size(), large.size());
  other.post({});
  receiver.post({});
  Arrivals nothing(0);
  const auto told = receiver.take(nothing);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].member, 0U);
  EXPECT_EQ(told[0].messages, 3U);
  EXPECT_TRUE(std::move(nothing).rows(false).ranks.empty());
  Arrivals one(0);
  EXPECT_TRUE(other.take(one).empty());
  EXPECT_EQ(std::move(one).rows(false).ranks, std::vector{0});
}

TEST_F(SharedBoards, HoldSoManyMessagesAndNoMore) {
  for (const std::size_t number : {SharedBoard::most_messages, SharedBoard::most_messages + 1}) {
    const Bytes byte(1);
    const std::vector<Message> messages(number, Message{1, byte});
    SharedBoard sender = board(0);
    EXPECT_EQ(sender.post(messages).size(), number == SharedBoard::most_messages ? 0 : number);
  }
}

}  // namespace
}  // namespace raddle::sparse
