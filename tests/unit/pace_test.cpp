// SPDX-License-Identifier: BSD-3-Clause
// What is expected of the next round, of groups that become ready at times of this machine's clock: relations that hold
// however long the machine takes.
#include "partitioned/pace.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <thread>

namespace raddle::partitioned {
namespace {

constexpr int groups = 8;
constexpr std::size_t bytes = 8'000'000;

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

/// Groups of two partitions. `between` comes before the last partition of each.
template <typename Between>
void round(Pace& pace, Between&& between) {
  pace.begin();
  for (int group = 0; group < groups; ++group) {
    pace.partition(group);
    between();
    pace.partition(group);
    pace.last(group);
  }
}

TEST(Pace, AllInOneMessageTakesAsLongAsThat) {
  const Costs costs{.message = 1e-3, .byte = 1e-9};
  Pace pace(groups);
  round(pace, pause);
  // Its own time, and that of the thread that sends it.
  EXPECT_NEAR(pace.tail(bytes, 1.0 / groups, costs), 2 * 1e-3 + 8e-3, 1e-9);
}

TEST(Pace, WhatComesOneAfterTheOtherIsBetterSentApart) {
  const Costs costs{.message = 1e-6, .byte = 1e-9};
  Pace pace(groups);
  round(pace, pause);
  const double bulk = pace.tail(bytes, 1.0 / groups, costs);
  const double apart = pace.tail(bytes, 1, costs);
  EXPECT_LT(apart, bulk);
  EXPECT_GE(apart, 1e-9 * bytes / groups);  // the last one cannot leave earlier
  EXPECT_LT(pace.tail(bytes, 2, costs), apart);
}

TEST(Pace, WhatComesAtOnceIsBetterSentTogether) {
  const Costs costs{.message = 1e-1, .byte = 1e-9};  // nothing else here takes as long
  Pace pace(groups);
  round(pace, [] {});
  double before = pace.tail(bytes, 1.0 / groups, costs);
  for (const double parts : {1.0 / 4, 1.0 / 2, 1.0, 2.0}) {
    const double tail = pace.tail(bytes, parts, costs);
    EXPECT_GT(tail, before) << parts;
    before = tail;
  }
}

TEST(Pace, EachRoundIsLookedAtAnew) {
  const Costs costs{.message = 1e-6, .byte = 1e-8};  // 80 ms in all
  Pace pace(groups);
  round(pace, [] {});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  round(pace, [] {});
  // With the first times of the round before, half of the parts would be out by now.
  EXPECT_GT(pace.tail(bytes, 2, costs), 60e-3);
}

TEST(Pace, ThreadsMayBeginAGroupTogether) {
  const Costs costs{.message = 1e-6, .byte = 1e-9};
  for (int i = 0; i < 100; ++i) {
    Pace pace(1);
    pace.begin();
    {
      const std::jthread one([&] { pace.partition(0); });
      const std::jthread other([&] { pace.partition(0); });
    }
    pace.last(0);
    EXPECT_NEAR(pace.tail(bytes, 1, costs), 8e-3 + 2e-6, 1e-9);
  }
}

TEST(Pace, NoGroupsAreOver) { EXPECT_EQ(Pace(0).tail(0, 1, {.message = 1, .byte = 1}), 0); }

}  // namespace
}  // namespace raddle::partitioned
