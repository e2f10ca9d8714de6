// SPDX-License-Identifier: BSD-3-Clause
#include "platform/waiting.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace raddle::platform {
namespace {

using std::chrono::milliseconds;

/// A machine on which a turn takes a millisecond, and which counts.
struct Counted {
  using Clock = std::chrono::steady_clock;
  static void pause() { ++pauses, time += milliseconds(1); }
  static void yield() { ++yields, time += milliseconds(1); }
  static Clock::time_point now() { return ++readings, time; }

  static inline std::uint64_t pauses = 0;
  static inline std::uint64_t yields = 0;
  static inline std::uint64_t readings = 0;
  static inline Clock::time_point time{};
};

using Tested = BasicWaiting<Counted>;

class WaitingTest : public testing::Test {
 protected:
  WaitingTest() { Counted::pauses = Counted::yields = Counted::readings = 0; }
};

/// @returns how often long_wait() was true
std::uint64_t take(Tested& waiting, std::uint64_t turns) {
  std::uint64_t told = 0;
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    waiting.turn();
    if (waiting.long_wait()) ++told;
  }
  return told;
}

TEST_F(WaitingTest, PausesFirstAndYieldsThen) {
  Tested waiting(false);
  take(waiting, Tested::patient);
  EXPECT_EQ(Counted::pauses, Tested::patient);
  EXPECT_EQ(Counted::yields, 0U);
  EXPECT_EQ(Counted::readings, 0U);
  take(waiting, 100);
  EXPECT_EQ(Counted::pauses, Tested::patient);
  EXPECT_EQ(Counted::yields, 100U);
}

TEST_F(WaitingTest, YieldsSoonWhereContextsExceedCores) {
  static_assert(Tested::impatient <= 64);
  Tested waiting(true);
  take(waiting, 100);
  EXPECT_EQ(Counted::pauses, Tested::impatient);
  EXPECT_EQ(Counted::yields, 100 - Tested::impatient);
}

TEST_F(WaitingTest, YieldsAtOnceWhereLookingYieldsToNobody) {
  Tested waiting(Patience::none);
  take(waiting, 100);
  EXPECT_EQ(Counted::pauses, 0U);
  EXPECT_EQ(Counted::yields, 100U);
}

TEST_F(WaitingTest, TellsOnceAPeriod) {
  Tested waiting(true, milliseconds(160));
  EXPECT_EQ(take(waiting, Tested::impatient + Tested::stride), 0U);  // the clock's first reading
  for (int period = 1; period <= 5; ++period) {
    EXPECT_EQ(take(waiting, 160 - 1), 0U) << period;
    EXPECT_EQ(take(waiting, 1), 1U) << period;
    EXPECT_FALSE(waiting.long_wait());
  }
}

TEST_F(WaitingTest, ReadsTheClockSeldom) {
  Tested waiting(true);
  take(waiting, Tested::impatient + 1000 * Tested::stride);
  EXPECT_EQ(Counted::readings, 1000U);
}

TEST_F(WaitingTest, TellsOnTheMachineToo) {
  const auto began = Machine::Clock::now();
  Waiting waiting(true, milliseconds(20));
  bool told = false;
  while (!told && Machine::Clock::now() - began < std::chrono::seconds(20)) {
    waiting.turn();
    told = waiting.long_wait();
  }
  EXPECT_TRUE(told);
  EXPECT_GE(Machine::Clock::now() - began, milliseconds(20));
}

}  // namespace
}  // namespace raddle::platform
