// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "effort.hpp"
#include "partitioned/tags.hpp"

namespace raddle::partitioned {
namespace {

TEST(PartitionTags, AreUsedAgainWhenBothSidesHaveDoneWithThem) {
  Tags tags;
  const auto first = tags.take(3, 1000);
  ASSERT_TRUE(first);
  tags.give_back(*first);
  EXPECT_NE(tags.take(3, 1000), first);  // the other side may still be at it
  tags.give_back(*first);
  EXPECT_EQ(tags.take(3, 1000), first);
}

TEST(PartitionTags, WhatNobodyHasTakenMayBeGivenBack) {
  Tags tags;
  tags.give_back(17);
  EXPECT_EQ(tags.take(1, 10), 0);
}

TEST(PartitionTags, EndAtTheLimit) {
  constexpr int limit = 7;
  Tags tags;
  std::vector<int> taken;
  while (const auto one = tags.take(1, limit)) taken.push_back(*one);
  ASSERT_FALSE(taken.empty());
  EXPECT_LE(std::ranges::max(taken), limit);
  EXPECT_FALSE(tags.take(1, limit));
  tags.give_back(taken.front());
  tags.give_back(taken.front());
  EXPECT_EQ(tags.take(1, limit), taken.front());
}

/// Against a list of all tags in use.
TEST(PartitionTags, AreNeverInUseTwice) {
  constexpr int limit = 4096;
  struct Block {
    int count;
    int sides;
  };
  std::mt19937_64 random(test::new_seed());
  Tags tags;
  std::map<int, Block> used;
  int refused = 0;
  for (int step = 0; step < 20'000 * test::effort(); ++step) {
    if (random() % 2 == 0) {
      const int count = 1 + static_cast<int>(random() % 256);
      const std::optional<int> first = tags.take(count, limit);
      if (!first) {
        ++refused;
        continue;
      }
      ASSERT_GE(*first, 0);
      ASSERT_LE(*first + count - 1, limit);
      for (const auto& [other, block] : used)
        ASSERT_TRUE(*first + count <= other || other + block.count <= *first) << *first << " and " << other;
      used[*first] = {count, 2};
    } else if (!used.empty()) {
      const auto one = std::next(used.begin(), static_cast<std::ptrdiff_t>(random() % used.size()));
      tags.give_back(one->first);
      if (--one->second.sides == 0) used.erase(one);
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace raddle::partitioned
