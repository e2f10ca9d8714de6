// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/coalescing.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace raddle::direct {
namespace {

struct CoalescingClock {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point now() { return time; }

  static inline Clock::time_point time{};
};

using Tested = BasicCoalescing<CoalescingClock>;

constexpr std::uint32_t two = Tested::eager_at_once;

/// @returns how many of the next messages to a peer do not wait
std::uint64_t leave_at_once(Tested& tested, std::uint64_t messages, int peer = 1) {
  std::uint64_t number = 0;
  for (std::uint64_t i = 0; i < messages; ++i) number += tested.waits(peer, 8, two) ? 0 : 1;
  return number;
}

TEST(Coalescing, TheFirstOnesToAPeerLeaveAtOnce) {
  Tested tested(true);
  EXPECT_FALSE(tested.waits(1, 8, two));
  EXPECT_FALSE(tested.waits(1, 8, two));
  EXPECT_TRUE(tested.waits(1, 8, two));
  EXPECT_FALSE(tested.waits(2, 8, two));
  EXPECT_FALSE(tested.waits(1, 8, two)) << "another peer has come between";
  EXPECT_TRUE(tested.waits(1, 8, 1));
}

TEST(Coalescing, AStepBeginsAnew) {
  Tested tested(true);
  EXPECT_EQ(leave_at_once(tested, 5), two);
  EXPECT_TRUE(tested.any());
  tested.leave();
  EXPECT_FALSE(tested.any());
  EXPECT_EQ(leave_at_once(tested, 5), two);
}

TEST(Coalescing, EnoughAreSo) {
  Tested tested(true);
  for (std::uint32_t i = 0; i < two + Tested::most; ++i) {
    EXPECT_FALSE(tested.enough()) << i;
    static_cast<void>(tested.waits(1, 8, two));
  }
  EXPECT_TRUE(tested.enough());
  tested.leave();
  EXPECT_FALSE(tested.enough());
}

TEST(Coalescing, ManyBytesAreEnough) {
  Tested tested(true);
  leave_at_once(tested, two);
  EXPECT_TRUE(tested.waits(1, Tested::most_bytes - 1, two));
  EXPECT_FALSE(tested.enough());
  EXPECT_TRUE(tested.waits(1, 1, two));
  EXPECT_TRUE(tested.enough());
  EXPECT_FALSE(tested.waits(1, Tested::most_bytes + 1, two)) << "a long one does not wait";
}

TEST(Coalescing, OneThatComesLateTakesTheOthersAlong) {
  Tested tested(true);
  leave_at_once(tested, two + 1);
  CoalescingClock::time += 2 * Tested::young;
  EXPECT_FALSE(tested.enough());
  EXPECT_TRUE(tested.waits(1, 8, two));
  EXPECT_TRUE(tested.enough());
}

TEST(Coalescing, WhatHasToComeAfterThemHurriesThem) {
  Tested tested(true);
  tested.hurry();
  EXPECT_FALSE(tested.enough()) << "none waits";
  leave_at_once(tested, two + 1);
  tested.hurry();
  EXPECT_TRUE(tested.enough());
}

TEST(Coalescing, ALateStepEndsItForAWhile) {
  Tested tested(true);
  for (std::uint64_t pause = Tested::first_pause; pause < 10 * Tested::first_pause; pause *= 2) {
    leave_at_once(tested, two + 1);
    CoalescingClock::time += 2 * Tested::late;
    tested.leave();
    EXPECT_EQ(leave_at_once(tested, pause), pause);
    tested.leave();
  }
  for (int i = 0; i < 20; ++i) {
    leave_at_once(tested, two + 1);
    EXPECT_TRUE(tested.any());
    tested.leave();
  }
  leave_at_once(tested, two + 1);
  CoalescingClock::time += 2 * Tested::late;
  tested.leave();
  EXPECT_EQ(leave_at_once(tested, Tested::first_pause + 1), Tested::first_pause) << "it has been in time since";
}

TEST(Coalescing, NoneWaitsWhereNobodyMakesAStep) {
  Tested tested(false);
  EXPECT_EQ(leave_at_once(tested, 100), 100);
}

}  // namespace
}  // namespace raddle::direct
