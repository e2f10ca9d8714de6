// SPDX-License-Identifier: BSD-3-Clause
// One message at a time, by every way it can go.
#include "engines/direct/port.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "message_buffer.hpp"
#include "node/cross_memory.hpp"
#include "port_world.hpp"

namespace raddle::direct {
namespace {

using test::MessageBuffer;
using test::PortWorld;
using test::WorldOptions;

struct Way {
  const char* name;
  WorldOptions options;
  int to = 1;
};

const pid_t own = getpid();  // of "another" process, whose memory is reached through the system
const Way ways[] = {
    {"own_process", {}},
    {"other_process", {.process = own}},
    {"pipelined", {.ring = std::size_t{256} * 1024, .process = own}},
    {"pipelined_unreachable", {.reachable = false, .ring = std::size_t{256} * 1024, .process = own}},
    {"unreachable", {.reachable = false, .process = own}},
    {"network", {.networked = true}},
    {"self", {}, 0},
};

/// How a receive meets its message.
enum class Meets { waiting, unexpected, probed };

struct Case {
  std::size_t bytes;
  std::size_t room;
  bool from_scattered;
  bool to_scattered;
  bool synchronous;
  Meets meets;

  [[nodiscard]] std::string name() const {
    return std::to_string(bytes) + (from_scattered ? " scattered" : "") + " bytes into " + std::to_string(room) +
           (to_scattered ? " scattered" : "") + (synchronous ? ", synchronous" : "") +
           (meets == Meets::waiting  ? ", awaited"
            : meets == Meets::probed ? ", probed"
                                     : ", unexpected");
  }
};

class PortTest : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    const std::uint64_t here = 42;
    if (GetParam().options.process != 0 && !node::can_reach(own, reinterpret_cast<std::uintptr_t>(&here), here))
      GTEST_SKIP() << "no process may look into another here";
  }

  /// Sends from port 0; the ports have nothing else to do.
  void pass(const Case& what) {
    SCOPED_TRACE(what.name());
    const std::uint64_t message = 0x1234'5678'0000'0000U + ++messages_;
    const int tag = static_cast<int>(messages_);
    MessageBuffer from(what.bytes, what.from_scattered);
    MessageBuffer room(what.room, what.to_scattered);
    from.fill(message);
    Operation send;
    send.body = from.body();
    send.synchronous = what.synchronous;
    Operation receive;
    receive.body = room.body();
    Port& receiver = world_[GetParam().to];

    if (what.meets == Meets::waiting) receiver.receive(0, tag, receive);
    world_[0].send(GetParam().to, tag, send);
    if (what.meets != Meets::waiting) {
      std::optional<Header> found;
      ASSERT_TRUE(world_.until([&] { return (found = receiver.probe(any, any)).has_value(); }));
      EXPECT_EQ(found->bytes, what.bytes);
      EXPECT_EQ(found->tag, tag);
      world_.let_pass(5);
      if (what.synchronous) {
        EXPECT_FALSE(send.complete());
      }
      EXPECT_FALSE(receiver.probe(any, tag + 1).has_value());
    }
    if (what.meets == Meets::unexpected) receiver.receive(any, tag, receive);
    if (what.meets == Meets::probed) {
      Kept* const taken = receiver.take(0, any);
      ASSERT_NE(taken, nullptr);
      EXPECT_EQ(receiver.take(0, any), nullptr);
      receiver.receive(*taken, receive);
    }
    ASSERT_TRUE(world_.until([&] { return send.complete() && receive.complete(); })) << world_.describe();

    const std::size_t received = std::min(what.bytes, what.room);
    EXPECT_EQ(send.outcome, Outcome::good);
    EXPECT_EQ(receive.outcome, received < what.bytes ? Outcome::truncated : Outcome::good);
    EXPECT_EQ(receive.bytes, received);
    EXPECT_EQ(receive.came.source, 0);
    EXPECT_EQ(receive.came.tag, tag);
    EXPECT_EQ(room.problem(message, received), "");
    world_.until([&] { return world_.left().empty(); });
    EXPECT_EQ(world_.left(), "");
  }

  PortWorld world_{GetParam().options};
  std::uint64_t messages_ = 0;
};

constexpr std::array both{false, true};

TEST_P(PortTest, BringsAMessageOfAnyLengthIntoAnyRoom) {
  for (const std::size_t bytes : {0, 1, 8, 32, 33, 199, 200, 201, 300, 301, 1500, 5000, 8192, 8193, 20'000, 100'000}) {
    for (const Meets meets : {Meets::waiting, Meets::unexpected, Meets::probed}) {
      for (const std::size_t room : {bytes, bytes + 9, bytes - std::min<std::size_t>(bytes, 1), std::size_t{0}}) {
        for (const bool from_scattered : both) {
          for (const bool to_scattered : both) {
            pass({bytes, room, from_scattered, to_scattered, false, meets});
            if (bytes <= 301) pass({bytes, room, from_scattered, to_scattered, true, meets});
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST_P(PortTest, BringsALargeMessageThatBothMayCopy) {
  for (const std::size_t bytes : {Transfer::least_within - 1, Transfer::least_within, Transfer::least - 1,
                                  Transfer::least, 5 * Transfer::share + 77}) {
    for (const Meets meets : {Meets::waiting, Meets::unexpected}) {
      pass({bytes, bytes, false, false, false, meets});
      pass({bytes, bytes + 1, false, false, true, meets});
      pass({bytes, bytes - 1, false, false, false, meets});
      pass({bytes, bytes, false, true, false, meets});
      pass({bytes, bytes, true, false, false, meets});
      if (HasFailure()) return;
    }
  }
}

TEST_P(PortTest, HasMoreLargeMessagesUnderWayThanBothMayCopy) {
  constexpr std::size_t bytes = Transfer::least;
  constexpr std::size_t count = transfers_of_each + 3;
  std::vector<MessageBuffer> from;
  std::vector<MessageBuffer> rooms;
  std::vector<Operation> sends(count);
  std::vector<Operation> receives(count);
  for (std::size_t i = 0; i < count; ++i) {
    from.emplace_back(bytes, false).fill(i);
    rooms.emplace_back(bytes, false);
    sends[i].body = from[i].body();
    receives[i].body = rooms[i].body();
    world_[0].send(GetParam().to, static_cast<int>(i), sends[i]);
  }
  for (std::size_t i = count; i-- > 0;) world_[GetParam().to].receive(0, static_cast<int>(i), receives[i]);
  const auto ended = [](const std::vector<Operation>& operations) {
    return std::ranges::all_of(operations, [](const Operation& operation) { return operation.complete(); });
  };
  ASSERT_TRUE(world_.until([&] { return ended(sends) && ended(receives); })) << world_.describe();
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(rooms[i].problem(i, bytes), "") << i;
  EXPECT_EQ(world_.left(), "");
}

INSTANTIATE_TEST_SUITE_P(Ways, PortTest, testing::ValuesIn(ways),
                         [](const testing::TestParamInfo<Way>& way) { return way.param.name; });

/// A short message without an operation.
struct Word {
  std::uint64_t value;
  [[nodiscard]] const std::byte* data() const { return reinterpret_cast<const std::byte*>(&value); }
};

std::uint64_t receive_word(PortWorld& world, int rank, int source, int tag) {
  std::uint64_t value = 0;
  Operation receive;
  receive.body = {reinterpret_cast<std::byte*>(&value), sizeof value};
  world[rank].receive(source, tag, receive);
  EXPECT_TRUE(world.until([&] { return receive.complete(); })) << world.describe();
  return value;
}

TEST(Port, SendsAtOnceUntilThereIsNoRoom) {
  PortWorld world({});
  std::uint64_t sent = 0;
  while (world[0].send_now(1, 3, Word{sent}.data(), 8)) ++sent;
  EXPECT_EQ(sent, 64U);
  Operation late;
  const Word last{sent++};
  late.body = {const_cast<std::byte*>(last.data()), 8};
  world[0].send(1, 3, late);
  EXPECT_FALSE(late.complete());
  EXPECT_TRUE(world[0].unfinished());
  world[1].progress();  // there is room now, but not for what is later
  EXPECT_FALSE(world[0].send_now(1, 3, Word{99}.data(), 8));
  world[0].progress();
  EXPECT_TRUE(late.complete());
  EXPECT_TRUE(world[0].send_now(1, 3, Word{sent}.data(), 8));
  for (std::uint64_t next = 0; next <= sent; ++next) ASSERT_EQ(receive_word(world, 1, any, any), next);
  EXPECT_EQ(world.left(), "");
}

TEST(Port, CopiesThroughAnInboxOnlyWhatFits) {
  PortWorld world({.eager = 1'000'000});
  MessageBuffer from(10'000, false);
  MessageBuffer room(10'000, false);
  from.fill(7);
  Operation send;
  Operation receive;
  send.body = from.body();
  receive.body = room.body();
  EXPECT_FALSE(world[0].send_now(1, 0, send.body.data, send.body.bytes));
  world[0].send(1, 0, send);
  world[1].receive(0, 0, receive);
  ASSERT_TRUE(world.until([&] { return send.complete() && receive.complete(); })) << world.describe();
  EXPECT_EQ(room.problem(7, 10'000), "");
}

/// Room whose every message makes the sender send another one at once.
struct Echo final : endpoints::Scattered {
  explicit Echo(PortWorld& all) : world(all) {}
  void gather(std::span<std::byte>) override {}
  void scatter(std::span<const std::byte>) override {
    if (++messages < 100'000) static_cast<void>(world[0].send_now(1, 0, Word{messages}.data(), 8));
  }
  PortWorld& world;
  std::uint64_t messages = 0;
};

TEST(Port, MakesStepsThatEndHoweverMuchComesIn) {
  PortWorld world({});
  Echo echo(world);
  std::vector<Operation> receives(10'000);
  for (Operation& receive : receives) {
    receive.body = {nullptr, 8, &echo};
    world[1].receive(0, 0, receive);
  }
  ASSERT_TRUE(world[0].send_now(1, 0, Word{0}.data(), 8));
  world[1].progress();
  EXPECT_LT(echo.messages, receives.size());
  EXPECT_TRUE(world[1].has_news());
}

TEST(Port, TellsThatASendersMemoryCannotBeRead) {
  constexpr pid_t nobody = 0x3fff'ffff;
  PortWorld world({.process = nobody});
  for (const std::size_t bytes : {std::size_t{5000}, Transfer::least}) {
    for (const bool scattered : both) {
      MessageBuffer from(bytes, false);
      MessageBuffer room(bytes, scattered);
      Operation send;
      Operation receive;
      send.body = from.body();
      receive.body = room.body();
      world[1].receive(0, 0, receive);
      world[0].send(1, 0, send);
      ASSERT_TRUE(world.until([&] { return send.complete() && receive.complete(); })) << world.describe();
      EXPECT_EQ(receive.outcome, Outcome::unreachable);
      EXPECT_EQ(send.outcome, Outcome::good);
      EXPECT_EQ(world.left(), "");
    }
  }
}

TEST(Port, CopiesAloneWhatTheSenderCannotHelpWith) {
  constexpr pid_t nobody = 0x3fff'ffff;
  PortWorld world({.process = getpid(), .of_first = nobody});
  for (int round = 0; round < 2; ++round) {  // the same transfer again
    const std::size_t bytes = 3 * Transfer::share + 100;
    MessageBuffer from(bytes, false);
    MessageBuffer room(bytes, false);
    from.fill(round);
    Operation send;
    Operation receive;
    send.body = from.body();
    receive.body = room.body();
    world[1].receive(0, 0, receive);
    world[0].send(1, 0, send);
    ASSERT_TRUE(world.until([&] { return send.complete() && receive.complete(); })) << world.describe();
    EXPECT_EQ(receive.outcome, Outcome::good);
    EXPECT_EQ(room.problem(round, bytes), "");
    EXPECT_EQ(world.left(), "");
  }
}

/// Of a process that can be read.
class PortWithRing : public testing::Test {
 protected:
  void SetUp() override {
    const std::uint64_t here = 42;
    if (!node::can_reach(own, reinterpret_cast<std::uintptr_t>(&here), here))
      GTEST_SKIP() << "no process may look into another here";
  }

  struct Message {
    Message(std::size_t bytes, std::size_t place, bool scattered) : from(bytes, false), room(place, scattered) {
      from.fill(bytes);
      send.body = from.body();
      receive.body = room.body();
    }
    [[nodiscard]] bool complete() const { return send.complete() && receive.complete(); }
    MessageBuffer from;
    MessageBuffer room;
    Operation send;
    Operation receive;
  };

  static constexpr std::size_t kib = 1024;
  PortWorld world_{{.ports = 3, .ring = 256 * kib, .process = own}};
};

TEST_F(PortWithRing, BringsAMessageThoughNobodyReceivesThoseBeforeIt) {
  for (const bool scattered : both) {
    for (const std::size_t place : {100 * kib, 60 * kib}) {
      std::vector<std::unique_ptr<Message>> before;  // they fill the ring
      for (int i = 0; i < 3; ++i) {
        before.push_back(std::make_unique<Message>(200 * kib, 200 * kib, scattered));
        world_[0].send(1, i, before.back()->send);
      }
      Message message(100 * kib, place, scattered);
      world_[0].send(2, 9, message.send);
      world_[2].receive(0, 9, message.receive);
      ASSERT_TRUE(world_.until([&] { return message.complete(); })) << world_.describe();
      EXPECT_EQ(message.room.problem(100 * kib, place), "");
      EXPECT_EQ(message.receive.outcome, place < 100 * kib ? Outcome::truncated : Outcome::good);
      for (int i = 2; i >= 0; --i) {  // in another order than they have room
        Message& late = *before[static_cast<std::size_t>(i)];
        world_[1].receive(0, i, late.receive);
        ASSERT_TRUE(world_.until([&] { return late.complete(); })) << world_.describe();
        EXPECT_EQ(late.room.problem(200 * kib, 200 * kib), "");
      }
      EXPECT_EQ(world_.left(), "");
    }
  }
}

TEST_F(PortWithRing, BringsTheRestOfAMessageWhoseSenderComputes) {
  constexpr int looks = 10'000;
  for (const bool scattered : both) {
    for (const std::size_t place : {1000 * kib, 600 * kib, 50 * kib}) {
      Message message(1000 * kib, place, scattered);
      world_[0].send(1, 5, message.send);
      world_[1].receive(0, 5, message.receive);
      for (int look = 0; look < looks && !message.receive.complete(); ++look) world_[1].progress();
      ASSERT_TRUE(message.receive.complete()) << world_.describe();
      EXPECT_EQ(message.room.problem(1000 * kib, place), "");
      ASSERT_TRUE(world_.until([&] { return message.complete(); })) << world_.describe();
      EXPECT_EQ(world_.left(), "");
    }
  }
}

TEST(Port, DescribesWhatWaits) {
  PortWorld world({});
  Operation receive;
  world[1].receive(any, 5, receive);
  ASSERT_TRUE(world[0].send_now(1, 6, nullptr, 0));
  world[1].progress();
  EXPECT_EQ(world[1].describe(),
            "rank 1\n  receive posted: from any, tag 5\n  message unexpected: from 0, tag 6, 0 bytes");
  world[1].cancel(receive);
}

}  // namespace
}  // namespace raddle::direct
