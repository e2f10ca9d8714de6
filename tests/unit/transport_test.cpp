// SPDX-License-Identifier: BSD-3-Clause
// A transport by itself, under the protocol of windows.hpp.
#include "engines/direct/transport.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "fake_node.hpp"
#include "message_buffer.hpp"
#include "node/cross_memory.hpp"
#include "windows.hpp"

namespace raddle::direct {
namespace {

using test::MessageBuffer;
using test::WorldOptions;
using Random = std::mt19937_64;

using windows::Access;
using windows::Buffered;
using windows::put;
using windows::put_at_tag;
using windows::reference_to;
using windows::Window;
using windows::window_bytes;
using windows::World;

struct Way {
  const char* name;
  WorldOptions options;
};

const pid_t own = getpid();  // of "another" process, whose memory is reached through the system
const Way ways[] = {
    {"own_process", {.ports = 3}},
    {"other_process", {.ports = 3, .process = own}},
    {"unreachable", {.ports = 3, .reachable = false, .process = own}},
    {"network", {.ports = 3, .networked = true}},
};

class TransportTest : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    const std::uint64_t here = 42;
    if (GetParam().options.process != 0 && !node::can_reach(own, reinterpret_cast<std::uintptr_t>(&here), here))
      GTEST_SKIP() << "no process may look into another here";
  }
};

TEST_P(TransportTest, CarriesPacketsThatItKnowsNothingOf) {
  World world(GetParam().options);
  const std::size_t most = std::min(world.window(0).most_in_a_packet(1), world.window(0).most_in_a_packet(0));
  std::uint64_t message = 0;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{150}, most}) {
    for (const bool scattered : {false, true}) {
      for (int target = 0; target < 2; ++target) {  // itself, too
        Buffered from(bytes, scattered);
        Buffered back(bytes, false);
        from.buffer.fill(++message);
        world.window(0).put_into(target, 77, from.access);
        const std::uint64_t before = world.window(target).puts();
        ASSERT_TRUE(world.until([&] { return from.access.done && world.window(target).puts() == before + 1; }));
        endpoints::copy_in(back.access.body, 0, std::span(world.window(target).bytes()).subspan(77, bytes));
        EXPECT_EQ(back.buffer.problem(message, bytes), "") << bytes;
      }
    }
  }
  EXPECT_EQ(world.left(), "");
}

TEST_P(TransportTest, BringsLongBodiesInPiecesOrBesideThePackets) {
  World world(GetParam().options);
  std::uint64_t message = 0;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{300}, std::size_t{301}, std::size_t{5000},
                                  2 * Transport::piece, 2 * Transport::piece + 70'001}) {
    for (const bool scattered : {false, true}) {
      MessageBuffer content(bytes, false);
      content.fill(++message);
      endpoints::copy_out(content.body(), world.window(1).bytes().data() + 5);
      Buffered room(bytes, scattered);
      world.window(0).get_from(1, 5, world.window(1), room.access);
      ASSERT_TRUE(world.until([&] { return room.access.done && world.left().empty(); })) << world.left();
      EXPECT_FALSE(room.access.failed);
      EXPECT_EQ(room.buffer.problem(message, bytes), "") << bytes;
    }
  }
}

TEST_P(TransportTest, TellsWhenAPacketThatFoundNoRoomHasLeft) {
  World world(GetParam().options);
  std::deque<Buffered> sent;
  const auto leaves_at_once = [&] {
    Buffered& next = sent.emplace_back(1, false);
    next.buffer.fill(sent.size());
    world.window(0).put_into(1, sent.size(), next.access);
    return next.access.done;
  };
  while (leaves_at_once()) continue;
  EXPECT_GT(sent.size(), 1U);
  for (int further = 0; further < 3; ++further) EXPECT_FALSE(leaves_at_once()) << "it has overtaken another";
  EXPECT_FALSE(world.transport(0).send_now(1, put_at_tag, 0, {})) << "it would overtake others";
  EXPECT_NE(world.transport(0).describe(), "");
  EXPECT_EQ(world.transport(0).unfinished(), 4U);

  Buffered& recalled = sent[sent.size() - 2];
  EXPECT_TRUE(world.transport(0).recall(1, reference_to(recalled.access)));
  EXPECT_FALSE(world.transport(0).recall(1, reference_to(recalled.access)));
  EXPECT_FALSE(world.transport(0).recall(1, reference_to(sent.front().access))) << "it has left long ago";
  EXPECT_EQ(world.transport(0).unfinished(), 3U);

  ASSERT_TRUE(world.until([&] { return world.left().empty(); })) << world.left();
  EXPECT_EQ(world.window(1).puts(), sent.size() - 1);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const bool gone = &sent[i] == &recalled;
    EXPECT_EQ(sent[i].access.done, !gone) << i;
    EXPECT_EQ(world.window(1).bytes()[i + 1], gone ? std::byte{0} : *sent[i].access.body.data) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, TransportTest, testing::ValuesIn(ways),
                         [](const testing::TestParamInfo<Way>& way) { return way.param.name; });

TEST(Transport, SendsAtOnceWhatIsShort) {
  World world({.eager = 40});
  const std::vector<std::byte> body(41, std::byte{7});
  const std::uint64_t before = world.transport(1).position();
  EXPECT_FALSE(world.transport(0).send_now(1, put_at_tag, 3, body));
  EXPECT_FALSE(world.transport(1).has_news());
  EXPECT_TRUE(world.transport(0).send_now(1, put_at_tag, 3, std::span(body).first(40)));
  EXPECT_TRUE(world.transport(1).has_news());
  EXPECT_FALSE(world.transport(1).all_read());
  world.step(1);
  EXPECT_TRUE(world.transport(1).all_read());
  EXPECT_FALSE(world.transport(1).has_news());
  EXPECT_GT(world.transport(1).position(), before);
  EXPECT_EQ(world.window(1).puts(), 1U);
  const std::vector<std::byte>& window = world.window(1).bytes();
  EXPECT_EQ(window[2], std::byte{0});
  EXPECT_EQ(std::count(window.begin() + 3, window.begin() + 43, std::byte{7}), 40);
  EXPECT_EQ(window[43], std::byte{0});
}

TEST(Transport, StopsAtAPacketThatSomebodyWaitedFor) {
  World world({});
  Buffered first(1, false);
  Buffered second(1, false);
  world.window(0).put_into(1, 0, first.access);
  world.window(0).put_into(1, 1, second.access);
  world.step(1, Reading::to_match);
  EXPECT_EQ(world.window(1).puts(), 1U);
  world.step(1, Reading::to_match);
  EXPECT_EQ(world.window(1).puts(), 2U);
}

TEST(Transport, AsksItsHandlerForStepsOnlyWhileItHasWork) {
  World world({});
  world.step(0);
  EXPECT_EQ(world.window(0).steps(), 0);
  EXPECT_FALSE(world.transport(0).has_news());
  Buffered room(10, false);
  world.window(0).get_from(1, 0, world.window(1), room.access);
  EXPECT_TRUE(world.transport(0).has_news());
  world.step(0);
  EXPECT_EQ(world.window(0).steps(), 1);
  EXPECT_TRUE(room.access.done);
  world.step(0);
  EXPECT_EQ(world.window(0).steps(), 1);
}

TEST(Transport, SaysThatMemoryCannotBeRead) {
  World world({.process = 0x3fff'ffff});  // nobody
  for (const bool scattered : {false, true}) {
    Buffered room(10, scattered);
    world.window(0).get_from(1, 0, world.window(1), room.access);
    world.step(0);
    EXPECT_TRUE(room.access.done);
    EXPECT_TRUE(room.access.failed);
  }
  EXPECT_EQ(world.left(), "");
}

TEST(Transport, SeesWhoHasLeft) {
  WorldOptions options;
  test::FakeNode node(options);
  const Transport transport(0, (*node.peers_of(0))[0], node.peers_of(0), options.eager, nullptr);
  EXPECT_FALSE(transport.has_left(1));
  node.leave(1);
  node.leave(0);
  EXPECT_TRUE(transport.has_left(1));
  EXPECT_FALSE(transport.has_left(0)) << "it is its own";
}

/// Every thread has a transport of its own: nothing but what transports share is shared.
class TransportThreadsTest : public testing::TestWithParam<Way> {};

TEST_P(TransportThreadsTest, BringsEachPacketOnceAndInOrder) {
  WorldOptions options = GetParam().options;
  options.seed = test::new_seed();
  SCOPED_TRACE(testing::Message() << "seed " << options.seed);
  World world(options);
  const int rounds = 200 * test::effort();
  constexpr std::size_t longest = 250;
  constexpr std::size_t read_only = 20'000;  // behind it each origin has a place of its own
  constexpr std::uint64_t content = 11;
  MessageBuffer all(read_only, false);
  all.fill(content);
  for (int rank = 0; rank < world.size(); ++rank) endpoints::copy_out(all.body(), world.window(rank).bytes().data());

  std::atomic<int> at_work{world.size()};
  std::atomic<int> wrong{0};
  std::vector<std::thread> team;
  for (int me = 0; me < world.size(); ++me) {
    team.emplace_back([&, me] {
      Random random(options.seed + static_cast<std::uint64_t>(me));
      Window& window = world.window(me);
      const std::size_t place = read_only + static_cast<std::size_t>(me) * longest;
      const auto await = [&](const Access& access) {
        while (!access.done) {
          world.step(me);
          if (!access.done) std::this_thread::yield();
        }
      };
      std::deque<Buffered> puts;
      for (int round = 1; round <= rounds; ++round) {
        for (int target = 0; target < world.size(); ++target) {
          Buffered& sent = puts.emplace_back(8 + random() % (longest - 8), random() % 4 == 0);
          sent.buffer.fill(static_cast<std::uint64_t>(round));
          window.put_into(target, place, sent.access);
        }
        const int target = static_cast<int>(random() % static_cast<unsigned>(world.size()));
        const std::size_t bytes = random() % 8 == 0 ? read_only : random() % 1000;
        Buffered room(bytes, random() % 4 == 0);
        window.get_from(target, 0, world.window(target), room.access);
        await(room.access);
        if (!room.buffer.problem(content, bytes).empty()) ++wrong;
        while (!puts.empty() && puts.front().access.done) puts.pop_front();
      }
      for (const Buffered& sent : puts) await(sent.access);
      const auto expected = static_cast<std::uint64_t>(rounds) * static_cast<std::uint64_t>(world.size());
      while (window.puts() < expected) {
        world.step(me);
        std::this_thread::yield();
      }
      --at_work;
      while (at_work != 0) {  // others may ask still
        world.step(me);
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(wrong, 0);
  ASSERT_TRUE(world.until([&] { return world.left().empty(); })) << world.left();
  for (int rank = 0; rank < world.size(); ++rank) {
    EXPECT_EQ(world.window(rank).puts(), static_cast<std::uint64_t>(rounds) * static_cast<std::uint64_t>(world.size()));
    for (int origin = 0; origin < world.size(); ++origin) {
      std::uint64_t last = 0;
      std::memcpy(&last, world.window(rank).bytes().data() + read_only + static_cast<std::size_t>(origin) * longest,
                  sizeof last);
      EXPECT_EQ(last, static_cast<std::uint64_t>(rounds)) << "of " << origin << " at " << rank;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, TransportThreadsTest, testing::ValuesIn(ways),
                         [](const testing::TestParamInfo<Way>& way) { return way.param.name; });

}  // namespace
}  // namespace raddle::direct
