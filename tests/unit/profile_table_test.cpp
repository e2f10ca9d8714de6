// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "profile/sizes.hpp"
#include "profile/table.hpp"

namespace raddle::profile {
namespace {

struct Counter {
  std::uint64_t key;
  int count;
};
using Counters = Table<Counter, 16>;

TEST(ProfileTable, FindsTheSameAgain) {
  Counters table{};
  for (int turn = 0; turn < 3; ++turn) {
    for (std::uint64_t key = 1; key <= Counters::most; ++key) ++table.find(key)->count;
  }
  std::set<const Counter*> places;
  for (std::uint64_t key = 1; key <= Counters::most; ++key) {
    EXPECT_EQ(table.find(key)->count, 3);
    places.insert(table.find(key));
  }
  EXPECT_EQ(places.size(), Counters::most);
  EXPECT_EQ(table.used, Counters::most);
}

TEST(ProfileTable, TakesNoMoreThanItHasRoomFor) {
  Counters table{};
  for (std::uint64_t key = 1; key <= Counters::most; ++key) ASSERT_NE(table.find(key * 64), nullptr);
  EXPECT_EQ(table.find(7), nullptr);
  EXPECT_NE(table.find(64), nullptr);
}

TEST(ProfileTable, AsksBeforeItWrites) {
  Counters table{};
  EXPECT_EQ(table.find(5, [](const Counter*) { return false; }), nullptr);
  EXPECT_EQ(table.used, 0U);
}

TEST(SizeClass, IsThePowerOfTwo) {
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(1), 1);
  EXPECT_EQ(size_class(2), 2);
  EXPECT_EQ(size_class(3), 2);
  EXPECT_EQ(size_class(4), 3);
  EXPECT_EQ(size_class(1ULL << 40U), 41);
  EXPECT_EQ(size_class(~0ULL), size_classes - 1);
}

}  // namespace
}  // namespace raddle::profile
