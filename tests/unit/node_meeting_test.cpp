// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/node_meeting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "effort.hpp"

namespace raddle::endpoints::collectives {
namespace {

using Bytes = std::vector<std::byte>;

/// What processes would share.
class Memory {
 public:
  explicit Memory(int ranks)
      : bytes_(NodeMeeting::memory(ranks)), all_(new (std::align_val_t{128}) std::byte[bytes_]{}) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { operator delete[](all_, std::align_val_t{128}); }
  [[nodiscard]] std::byte* get() const { return all_; }

 private:
  std::size_t bytes_;
  std::byte* all_;
};

/// The same for the same number and rank.
Bytes brought(std::uint64_t number, int rank, std::size_t bytes) {
  std::mt19937_64 random(number * 31 + static_cast<std::uint64_t>(rank) + 1);
  std::vector<std::uint64_t> words(bytes / sizeof(std::uint64_t) + 1);
  std::ranges::generate(words, random);
  const auto all = std::as_bytes(std::span(words));
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

/// All at once: byte by byte takes long under ThreadSanitizer.
bool same(std::span<const std::byte> one, const Bytes& other) {
  return one.size() == other.size() && (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0);
}

std::size_t length(std::uint64_t number, int rank, std::size_t room) {
  return (number * 7919 + static_cast<std::uint64_t>(rank) * 101) %
         (number % 2 == 0 ? room + 1 : 2 * MeetingSeat::room);
}

/// Which rounds: with the last, rooms are used part by part.
class NodeMeetingOfRounds : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(All, NodeMeetingOfRounds, testing::Range(std::size_t{0}, RoundProbe::candidates.size()),
                         testing::PrintToStringParamName());

TEST_P(NodeMeetingOfRounds, LetsEachReadWhatTheOthersHavePutThere) {
  constexpr int ranks = 3;
  const std::uint64_t rounds = 200 * static_cast<std::uint64_t>(test::effort());
  const Memory memory(ranks);
  std::vector<std::unique_ptr<NodeMeeting>> views;  // each rank its own, as processes have
  for (int rank = 0; rank < ranks; ++rank) {
    views.push_back(std::make_unique<NodeMeeting>(ranks, memory.get(), std::vector<pid_t>{}));
    views.back()->make_place(rank);
    views.back()->know_way({.rounds = GetParam()});
  }
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (int me = 0; me < ranks; ++me) {
    threads.emplace_back([&, me] {
      NodeMeeting& node = *views[static_cast<std::size_t>(me)];
      Meeting& meeting = node.meeting();
      for (std::uint64_t number = 1; number <= rounds; ++number) {
        while (!meeting.open(number)) std::this_thread::yield();
        node.put(number, me, brought(number, me, length(number, me, node.room())));
        meeting.arrive(number, me);
        for (int other = 0; other < ranks; ++other) {
          while (!meeting.has_arrived(number, other)) std::this_thread::yield();
          const auto got = node.here(number, other);
          if (!got || !same(*got, brought(number, other, length(number, other, node.room())))) ++wrong;
        }
        meeting.finish(number, me);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

/// Also behind what has come before in the same slots.
TEST_P(NodeMeetingOfRounds, HasRoomForAsMuchAsItSays) {
  for (const int ranks : {1, 2, 3, NodeMeeting::most_ranks}) {
    const Memory memory(ranks);
    NodeMeeting node(ranks, memory.get(), {});
    for (int rank = 0; rank < ranks; ++rank) node.make_place(rank);
    node.know_way({.rounds = GetParam()});
    for (const std::size_t bytes : {node.room(), node.room() / 2, node.room() / 2 + 1, std::size_t{33}}) {
      for (std::uint64_t number = 1; number <= 3 * Meeting::slots; ++number) {
        for (int rank = 0; rank < ranks; ++rank) node.put(number, rank, brought(number, rank, bytes));
        for (int rank = 0; rank < ranks; ++rank)
          ASSERT_TRUE(same(*node.here(number, rank), brought(number, rank, bytes)))
              << rank << " of " << ranks << ", " << bytes << " bytes, number " << number;
      }
    }
  }
}

TEST(NodeMeeting, CutsWhatIsLongIntoRounds) {
  const Memory memory(2);
  NodeMeeting node(2, memory.get(), {});
  constexpr std::size_t kib = 1024;
  for (const std::size_t bytes : {std::size_t{0}, 64 * kib, 1024 * kib})
    EXPECT_LE(node.round(bytes), RoundProbe::least_round) << bytes;
  node.know_way({.rounds = 2});
  EXPECT_EQ(node.round(64 * kib), 16 * kib);
  EXPECT_EQ(node.round(300 * kib), 32 * kib);
  EXPECT_EQ(node.round(1024 * kib), node.room());
}

TEST(NodeMeeting, KeepsPiecesApart) {
  const Memory memory(2);
  NodeMeeting node(2, memory.get(), {});
  node.make_place(1);
  const std::vector<Bytes> pieces{brought(1, 0, 5), {}, brought(1, 1, 900), brought(1, 2, 1)};
  const std::vector<std::span<const std::byte>> spans(pieces.begin(), pieces.end());
  ASSERT_TRUE(node.put_pieces(3, 1, spans));
  for (int piece = 0; piece < 4; ++piece)
    EXPECT_TRUE(same(*node.piece_here(3, 1, piece), pieces[static_cast<std::size_t>(piece)])) << piece;
}

/// Whether a word has been cleared in each line that lies in there as a whole, and there is one.
bool lines_are_back(std::span<const std::byte> bytes) {
  constexpr std::size_t line = 64;
  std::size_t at = (line - reinterpret_cast<std::uintptr_t>(bytes.data()) % line) % line;
  bool back = at + line <= bytes.size();
  for (; at + line <= bytes.size(); at += line) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    back = back && word == 0;
  }
  return back;
}

TEST(NodeMeeting, GivesBackTheLinesOfWhatWasTakenAndNoOthers) {
  const Memory memory(4);
  NodeMeeting node(4, memory.get(), {});
  node.make_place(1);
  for (const std::size_t bytes : {200UL, 1000UL, 5000UL}) {
    const std::vector<Bytes> pieces{brought(1, 0, bytes), brought(1, 1, bytes + 3), brought(1, 2, bytes)};
    ASSERT_TRUE(node.put_pieces(3, 1, std::vector<std::span<const std::byte>>(pieces.begin(), pieces.end())));
    const std::span<const std::byte> taken = *node.piece_here(3, 1, 1);
    node.taken(3, 1, taken);
    EXPECT_TRUE(lines_are_back(taken)) << bytes;
    EXPECT_TRUE(same(*node.piece_here(3, 1, 0), pieces[0])) << bytes;
    EXPECT_TRUE(same(*node.piece_here(3, 1, 2), pieces[2])) << bytes;
  }
}

/// Which leave a core's caches anyway.
TEST(NodeMeeting, LeavesWhatRoundsPutInOnePartOfARoomAfterTheOther) {
  const Memory memory(2);
  NodeMeeting node(2, memory.get(), {});
  node.make_place(0);
  node.know_way({.rounds = 2});
  for (const std::size_t bytes : {RoundProbe::least_round, RoundProbe::candidates[2].bytes}) {
    const Bytes all = brought(1, 0, bytes);
    node.put(1, 0, all);
    node.taken(1, 0, *node.here(1, 0));
    EXPECT_EQ(lines_are_back(*node.here(1, 0)), bytes == RoundProbe::least_round) << bytes;
  }
}

/// Where a line that was only read comes back in time.
TEST(NodeMeeting, LeavesLinesAloneWhereThatIsBest) {
  const Memory memory(2);
  NodeMeeting node(2, memory.get(), {});
  node.make_place(0);
  node.know_way({.rounds = 1});
  node.put(1, 0, brought(1, 0, 5000));
  node.taken(1, 0, *node.here(1, 0));
  EXPECT_TRUE(same(*node.here(1, 0), brought(1, 0, 5000)));
}

TEST(NodeMeeting, RefersToWhatIsLongWhereTheSystemIsBestAndCan) {
  const Memory memory(2);
  NodeMeeting near(2, memory.get(), {0, 0});
  NodeMeeting far(2, memory.get(), {});
  const std::size_t length = RoundProbe::lengths[1];
  EXPECT_FALSE(near.refers(length));
  for (NodeMeeting* const node : {&near, &far}) node->know_way({.referred = 1});
  EXPECT_TRUE(near.refers(length));
  EXPECT_FALSE(near.refers(length - 1));
  EXPECT_FALSE(far.refers(length));
}

TEST(NodeMeeting, TakesPiecesAsLongAsTheyFit) {
  const Memory memory(2);
  NodeMeeting node(2, memory.get(), {});
  node.make_place(0);
  constexpr std::size_t line = 64;
  const Bytes most = brought(1, 0, node.room() - 2 * line);  // behind their ends
  const Bytes one = brought(1, 1, line);
  const Bytes two = brought(1, 1, line + 1);
  EXPECT_TRUE(node.put_pieces(1, 0, std::vector<std::span<const std::byte>>{most, one}));
  EXPECT_TRUE(same(*node.piece_here(1, 0, 0), most));
  EXPECT_TRUE(same(*node.piece_here(1, 0, 1), one));
  EXPECT_FALSE(node.put_pieces(2, 0, std::vector<std::span<const std::byte>>{most, two}));
}

TEST(NodeMeeting, SaysWhereWhatIsLongLies) {
  const Memory memory(2);
  NodeMeeting node(2, memory.get(), {0, 0});
  node.make_place(0);
  const Bytes data = brought(1, 0, 100);
  Bytes room(100);
  node.refer(1, 0, {data.data(), data.size(), room.data()});
  EXPECT_FALSE(node.here(1, 0));
  EXPECT_FALSE(node.piece_here(1, 0, 0));
  const Reference there = node.reference(1, 0);
  EXPECT_EQ(there.data, data.data());
  EXPECT_EQ(there.bytes, data.size());
  ASSERT_TRUE(node.write(0, there.room, data));
  Bytes read(100);
  ASSERT_TRUE(node.read(0, there.room, read));
  EXPECT_EQ(read, data);
}

TEST(NodeMeeting, TellsThatMemoryIsOutOfReach) {
  const Memory memory(2);
  // No process has this pid: it is beyond what Linux gives.
  const NodeMeeting node(2, memory.get(), {0, 1 << 30});
  Bytes bytes(8);
  EXPECT_TRUE(node.is_local(0));
  EXPECT_FALSE(node.is_local(1));
  EXPECT_FALSE(node.read(1, bytes.data(), bytes));
  EXPECT_FALSE(node.write(1, bytes.data(), bytes));
}

}  // namespace
}  // namespace raddle::endpoints::collectives
