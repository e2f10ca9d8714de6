// SPDX-License-Identifier: BSD-3-Clause
// Cancelling (MPI-4.1 section 3.8.4): either the message is received, or both sides are as if it had never been sent.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/direct/port.hpp"
#include "message_buffer.hpp"
#include "port_world.hpp"

namespace raddle::direct {
namespace {

using test::MessageBuffer;
using test::PortWorld;
using test::WorldOptions;

/// A message that does not leave at once: short and synchronous, long, in parts.
struct Kind {
  const char* name;
  WorldOptions options;
  std::size_t bytes;
  bool scattered = false;
};

constexpr std::size_t large = Transfer::least + 1;
const Kind kinds[] = {
    {"short_synchronous", {}, 8},
    {"large", {}, 5000},
    {"large_that_both_copy", {}, large},
    {"in_parts", {}, 5000, true},
    {"pipelined", {.ring = std::size_t{64} * 1024, .least_in_pipeline = 500, .process = getpid()}, 5000},
    {"pipelined_in_turn", {.ring = std::size_t{64} * 1024, .least_in_pipeline = 500, .process = getpid()}, large},
    {"pipelined_unreachable",
     {.reachable = false, .ring = std::size_t{64} * 1024, .least_in_pipeline = 500, .process = getpid()},
     large},
    {"short_synchronous_network", {.networked = true}, 8},
    {"network", {.networked = true}, 5000},
    {"in_parts_network", {.networked = true}, 5000, true},
};

class PortCancelTest : public testing::TestWithParam<Kind> {
 protected:
  /// A send that is freed as soon as it is complete: whoever touches it later is found by AddressSanitizer.
  struct Send {
    explicit Send(const Kind& kind) : buffer(kind.bytes, kind.scattered) {
      buffer.fill(3);
      operation.body = buffer.body();
      operation.synchronous = true;
    }
    MessageBuffer buffer;
    Operation operation;
  };
  struct Receive {
    explicit Receive(const Kind& kind) : buffer(kind.bytes, false) { operation.body = buffer.body(); }
    MessageBuffer buffer;
    Operation operation;
  };

  void start() {
    send_ = std::make_unique<Send>(GetParam());
    world_[0].send(1, 5, send_->operation);
  }

  void await_arrival() {
    ASSERT_TRUE(world_.until([&] { return world_[1].probe(any, any).has_value(); }));
  }

  Outcome await_end() {
    EXPECT_TRUE(world_.until([&] { return send_->operation.complete(); })) << world_.describe();
    const Outcome outcome = send_->operation.outcome;
    send_.reset();
    return outcome;
  }

  void expect_received(Receive& receive) {
    ASSERT_TRUE(world_.until([&] { return receive.operation.complete(); })) << world_.describe();
    EXPECT_EQ(receive.operation.outcome, Outcome::good);
    EXPECT_EQ(receive.buffer.problem(3, GetParam().bytes), "");
  }

  /// All is over, and another message goes the same way.
  void expect_clean() {
    world_.until([&] { return world_.left().empty(); });
    EXPECT_EQ(world_.left(), "");
    start();
    Receive receive(GetParam());
    world_[1].receive(0, any, receive.operation);
    expect_received(receive);
    EXPECT_EQ(await_end(), Outcome::good);
    world_.until([&] { return world_.left().empty(); });
    EXPECT_EQ(world_.left(), "");
  }

  PortWorld world_{GetParam().options};
  std::unique_ptr<Send> send_;
};

TEST_P(PortCancelTest, WithdrawsAMessageThatHasNotBeenSeen) {
  start();
  world_[0].cancel(send_->operation);
  EXPECT_EQ(await_end(), Outcome::cancelled);
  EXPECT_FALSE(world_[1].probe(any, any).has_value());
  expect_clean();
}

TEST_P(PortCancelTest, WithdrawsAMessageThatNobodyAskedFor) {
  start();
  await_arrival();
  world_[0].cancel(send_->operation);
  EXPECT_EQ(await_end(), Outcome::cancelled);
  EXPECT_FALSE(world_[1].probe(any, any).has_value());
  expect_clean();
}

TEST_P(PortCancelTest, WithdrawsOnlyTheOne) {
  start();
  const auto first = std::move(send_);
  start();
  const auto second = std::move(send_);
  start();
  world_[0].cancel(second->operation);
  ASSERT_TRUE(world_.until([&] { return second->operation.complete(); })) << world_.describe();
  EXPECT_EQ(second->operation.outcome, Outcome::cancelled);
  for (int i = 0; i < 2; ++i) {
    Receive receive(GetParam());
    world_[1].receive(0, 5, receive.operation);
    expect_received(receive);
  }
  EXPECT_EQ(await_end(), Outcome::good);
  ASSERT_TRUE(world_.until([&] { return first->operation.complete(); }));
  EXPECT_EQ(first->operation.outcome, Outcome::good);
  expect_clean();
}

TEST_P(PortCancelTest, TakesAskingTwiceForOnce) {
  start();
  await_arrival();
  world_[0].cancel(send_->operation);
  world_[0].cancel(send_->operation);
  EXPECT_EQ(await_end(), Outcome::cancelled);
  expect_clean();  // where the second asking must not reach the next message
}

TEST_P(PortCancelTest, ComesTooLateOnceItIsMatched) {
  Receive receive(GetParam());
  world_[1].receive(any, any, receive.operation);
  start();
  world_[1].progress();  // matched; the sender does not know
  const bool matched = !GetParam().options.networked;
  world_[0].cancel(send_->operation);
  const Outcome outcome = await_end();
  if (matched) {
    EXPECT_EQ(outcome, Outcome::good);
  }
  if (outcome == Outcome::good) {
    expect_received(receive);
  } else {
    EXPECT_FALSE(receive.operation.complete());
    world_[1].cancel(receive.operation);
    EXPECT_TRUE(receive.operation.complete());
  }
  expect_clean();
}

TEST_P(PortCancelTest, ComesTooLateOnceItIsTakenByAProbe) {
  start();
  await_arrival();
  Kept* const taken = world_[1].take(any, any);
  ASSERT_NE(taken, nullptr);
  world_[0].cancel(send_->operation);
  world_.let_pass(100);
  Receive receive(GetParam());
  world_[1].receive(*taken, receive.operation);
  expect_received(receive);
  EXPECT_EQ(await_end(), Outcome::good);
  expect_clean();
}

TEST_P(PortCancelTest, EndsTheSameWayWhateverTheMomentItIsAskedAt) {
  std::array<int, 2> outcomes{};
  for (int moment = 0; moment < 60; ++moment) {
    Receive receive(GetParam());
    start();
    if (moment % 2 == 0) world_[1].receive(any, any, receive.operation);
    world_.let_pass(moment / 6);
    if (moment % 2 == 1) world_[1].receive(any, any, receive.operation);
    world_[0].cancel(send_->operation);
    const Outcome outcome = await_end();
    if (outcome == Outcome::cancelled) {
      ++outcomes[0];
      world_.let_pass(50);
      ASSERT_FALSE(receive.operation.complete());
      world_[1].cancel(receive.operation);
      ASSERT_EQ(receive.operation.outcome, Outcome::cancelled);
    } else {
      ++outcomes[1];
      expect_received(receive);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(outcomes[1], 0);
  expect_clean();
}

TEST_P(PortCancelTest, WithdrawsAMessageThatHasFoundNoRoom) {
  int before = 0;
  std::vector<std::unique_ptr<Send>> fillers;
  do {  // until one has not left
    fillers.push_back(std::make_unique<Send>(Kind{"", {}, 8}));
    fillers.back()->operation.synchronous = false;
    world_[0].send(1, 1, fillers.back()->operation);
    world_[0].progress();  // it does not wait for another one
    ++before;
  } while (fillers.back()->operation.complete());
  start();
  world_[0].cancel(send_->operation);
  world_[0].cancel(fillers.back()->operation);
  EXPECT_EQ(fillers.back()->operation.outcome, Outcome::cancelled);
  EXPECT_EQ(await_end(), Outcome::cancelled);
  for (int i = 0; i < before - 1; ++i) {
    Receive receive(Kind{"", {}, 8});
    world_[1].receive(0, any, receive.operation);
    ASSERT_TRUE(world_.until([&] { return receive.operation.complete(); })) << world_.describe();
    EXPECT_EQ(receive.operation.came.tag, 1);
  }
  expect_clean();
}

/// Between nodes the last ones wait until there are enough of them, or somebody makes a step.
TEST_P(PortCancelTest, WithdrawsAMessageThatWaitsForOthers) {
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{5000}}) {  // eager, and beside the packets
    constexpr int before = 3;
    std::vector<std::unique_ptr<Send>> sends;
    for (int i = 0; i <= before; ++i) {
      sends.push_back(std::make_unique<Send>(Kind{"", {}, bytes}));
      sends.back()->operation.synchronous = false;
      world_[0].send(1, i, sends.back()->operation);
    }
    const bool waits = !sends.back()->operation.complete();
    world_[0].cancel(sends.back()->operation);
    if (GetParam().options.networked) {
      EXPECT_TRUE(waits);
      EXPECT_EQ(sends.back()->operation.outcome, Outcome::cancelled) << "by the sender alone";
    }
    world_.until([&] { return sends.back()->operation.complete(); });
    const bool cancelled = sends.back()->operation.outcome == Outcome::cancelled;
    for (int i = 0; i < (cancelled ? before : before + 1); ++i) {
      Receive receive(Kind{"", {}, bytes});
      world_[1].receive(0, any, receive.operation);
      ASSERT_TRUE(world_.until([&] { return receive.operation.complete(); })) << world_.describe();
      EXPECT_EQ(receive.operation.came.tag, i);
      EXPECT_EQ(receive.buffer.problem(3, bytes), "");
    }
    expect_clean();
  }
}

// Not between nodes: who has left cannot be seen there.
TEST_P(PortCancelTest, EndsWhereTheOtherSideHasLeft) {
  if (GetParam().options.networked) GTEST_SKIP();
  start();
  await_arrival();
  world_.leave(1);
  world_[0].cancel(send_->operation);
  EXPECT_EQ(await_end(), Outcome::cancelled);
  EXPECT_FALSE(world_[0].unfinished());
}

TEST_P(PortCancelTest, EndsWhenTheOtherSideLeavesWithoutAnAnswer) {
  if (GetParam().options.networked) GTEST_SKIP();
  start();
  world_[0].cancel(send_->operation);
  world_.leave(1);
  EXPECT_EQ(await_end(), Outcome::cancelled);
}

TEST_P(PortCancelTest, TakesTheAnswerOfOneThatHasLeftSince) {
  if (GetParam().options.networked) GTEST_SKIP();
  Receive receive(GetParam());
  world_[1].receive(any, any, receive.operation);
  start();
  ASSERT_TRUE(world_.until([&] { return receive.operation.complete(); })) << world_.describe();
  const bool known = send_->operation.complete();
  world_[0].cancel(send_->operation);
  world_.leave(1);
  EXPECT_EQ(await_end(), Outcome::good) << known;
}

INSTANTIATE_TEST_SUITE_P(Kinds, PortCancelTest, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind>& kind) { return kind.param.name; });

TEST(PortCancel, WithdrawsAReceiveThatWaits) {
  PortWorld world({});
  Operation first;
  Operation second;
  world[1].receive(any, 4, first);
  world[1].receive(any, 4, second);
  world[1].cancel(first);
  EXPECT_TRUE(first.complete());
  EXPECT_EQ(first.outcome, Outcome::cancelled);
  ASSERT_TRUE(world[0].send_now(1, 4, nullptr, 0));
  world[1].progress();
  EXPECT_EQ(second.outcome, Outcome::good);
  EXPECT_TRUE(second.complete());
  world[1].cancel(second);  // has ended
  EXPECT_EQ(second.outcome, Outcome::good);
  EXPECT_EQ(world.left(), "");
}

TEST(PortCancel, LeavesAReceiveThatIsUnderWay) {
  PortWorld world({.reachable = false});
  MessageBuffer from(5000, false);
  MessageBuffer room(5000, false);
  from.fill(1);
  Operation send;
  Operation receive;
  send.body = from.body();
  receive.body = room.body();
  world[1].receive(0, 0, receive);
  world[0].send(1, 0, send);
  world[1].progress();
  world[1].cancel(receive);
  EXPECT_FALSE(receive.complete());
  ASSERT_TRUE(world.until([&] { return send.complete() && receive.complete(); }));
  EXPECT_EQ(receive.outcome, Outcome::good);
  EXPECT_EQ(room.problem(1, 5000), "");
}

}  // namespace
}  // namespace raddle::direct
