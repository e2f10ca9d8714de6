// SPDX-License-Identifier: BSD-3-Clause
// A proxy does nothing that makes no sense, whatever lies in its inbox.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "effort.hpp"
#include "engines/proxy/command.hpp"

namespace raddle::proxy {
namespace {

constexpr Bounds heap{4096, 65536};

Command a_send() {
  Command command;
  command.op = Op::send;
  command.place = 8192;
  command.bytes = 100;
  command.answer = 4096;
  return command;
}

Collective a_gather() {
  Collective call;
  call.kind = Kind::gather;
  call.root = 1;
  call.out = 4096;
  call.out_bytes = 8;
  call.in = 8192;
  call.in_bytes = 24;
  call.out_pieces = 1;
  call.in_pieces = 1;
  return call;
}

TEST(Refusal, LetsPassWhatMakesSense) {
  EXPECT_EQ(refusal(a_send(), 0, heap), nullptr);
  Command inside = a_send();
  inside.place = 0;
  inside.flags = follows;
  EXPECT_EQ(refusal(inside, 100, heap), nullptr);
  Command short_one = a_send();
  short_one.op = Op::receive;
  short_one.place = 0;
  short_one.bytes = Answer::room;
  EXPECT_EQ(refusal(short_one, 0, heap), nullptr);
  const std::vector<std::int64_t> numbers{8, 0, 8, 0};
  EXPECT_EQ(refusal(a_gather(), numbers, 3, heap), nullptr);
}

TEST(Refusal, NamesWhatDoesNot) {
  const auto with = [](auto&& change) {
    Command command = a_send();
    change(command);
    const char* why = refusal(command, 64, heap);
    return std::string(why == nullptr ? "accepted" : why);
  };
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): that is what is tried
  EXPECT_EQ(with([](Command& c) { c.op = static_cast<Op>(ops); }), "an unknown command");
  EXPECT_EQ(with([](Command& c) { c.flags = 0x8000; }), "unknown flags");
  EXPECT_EQ(with([](Command& c) { c.answer = 4100; }), "an answer outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.answer = 65536; }), "an answer outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.answer = 64; }), "an answer outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.op = Op::receive, c.answer = 0; }), "an answer outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.place = 65500; }), "data outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.bytes = ~std::uint64_t{0}; }), "data outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.place = 100; }), "data outside the shared memory");
  EXPECT_EQ(with([](Command& c) { c.flags = follows; }), "more data than follow");
  EXPECT_EQ(with([](Command& c) { c.op = Op::probe, c.flags = follows; }), "data that it does not take");
  EXPECT_EQ(with([](Command& c) { c.op = Op::cancel, c.place = 1; }), "an answer outside the shared memory");
}

TEST(Refusal, NamesWhatDoesNotMakeSenseOfACollective) {
  const auto with = [](auto&& change, std::vector<std::int64_t> numbers = {8, 0, 8, 0}) {
    Collective call = a_gather();
    change(call);
    const char* why = refusal(call, numbers, 3, heap);
    return std::string(why == nullptr ? "accepted" : why);
  };
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): that is what is tried
  EXPECT_EQ(with([](Collective& c) { c.kind = static_cast<Kind>(kinds); }), "an unknown collective");
  EXPECT_EQ(with([](Collective& c) { c.root = 3; }), "a root that is no rank");
  EXPECT_EQ(with([](Collective& c) { c.root = -1; }), "a root that is no rank");
  EXPECT_EQ(with([](Collective& c) { c.in_pieces = 2; }), "pieces for another number of ranks");
  EXPECT_EQ(with([](Collective& c) { c.in_pieces = 3; }), "another number of lengths than it says");
  EXPECT_EQ(with([](Collective& c) { c.in_bytes = 1 << 20; }), "data outside the shared memory");
  EXPECT_EQ(with([](Collective& c) { c.in_bytes = 23; }), "a piece outside its buffer");  // three of eight bytes
  EXPECT_EQ(with([](Collective&) {}, {8, 1, 8, 0}), "a piece outside its buffer");
  EXPECT_EQ(with([](Collective&) {}, {-8, 0, 8, 0}), "a length that the MPI cannot take");
  EXPECT_EQ(with([](Collective&) {}, {8, 0, 8, std::int64_t{1} << 40}), "a length that the MPI cannot take");
}

/// Any bytes: what is let pass stays inside, as counted here again.
TEST(Refusal, LetsNothingPassThatReachesOutside) {
  const std::uint64_t seed = test::new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto near = [&](std::uint64_t value) { return value + random() % 129 - 64; };
  const auto some = [&]() -> std::uint64_t {
    switch (random() % 6) {
      case 0:
        return random();
      case 1:
        return near(heap.begin);
      case 2:
        return near(heap.end);
      case 3:
        return near(0);
      case 4:
        return random() % 70000 / 64 * 64;
      default:
        return random() % 70000;
    }
  };
  int passed = 0;
  for (int i = 0; i < 2'000'000 * test::effort(); ++i) {
    Command command;
    command.op = static_cast<Op>(random() % (ops + 2));
    command.flags = static_cast<std::uint16_t>(random() % 32);
    command.bytes = some();
    command.place = some();
    command.answer = some();
    const std::size_t following = random() % 200;
    if (refusal(command, following, heap) != nullptr) continue;
    ++passed;
    ASSERT_LT(static_cast<std::uint16_t>(command.op), ops);
    if (command.answer != 0) {
      ASSERT_GE(command.answer, heap.begin);
      ASSERT_LE(command.answer + sizeof(Answer), heap.end);
      ASSERT_EQ(command.answer % 64, 0U);
    }
    if ((command.flags & follows) != 0) {
      ASSERT_LE(command.bytes, following);
    }
    const bool moves = command.op == Op::send || command.op == Op::receive || command.op == Op::receive_taken ||
                       command.op == Op::create || command.op == Op::collective;
    if (!moves) continue;
    if ((command.flags & follows) != 0) {
      ASSERT_LE(command.bytes, following);
    } else if (command.place != 0) {
      ASSERT_GE(command.place, heap.begin);
      ASSERT_LE(command.place, heap.end);
      ASSERT_LE(command.bytes, heap.end - command.place);
    } else {
      ASSERT_LE(command.bytes, Answer::room);
    }
  }
  EXPECT_GT(passed, 1000);  // the fuzz is not all noise
}

}  // namespace
}  // namespace raddle::proxy
