// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "partitioned/groups.hpp"

namespace raddle::partitioned {
namespace {

TEST(PartitionGroups, FollowOneAnotherAndTheLastMayBeShorter) {
  for (int partitions = 0; partitions <= 70; ++partitions) {
    for (int per_group = 1; per_group <= 75; ++per_group) {
      const Groups groups(partitions, per_group);
      int expected = 0;  // the partition that comes next
      for (int group = 0; group < groups.count(); ++group) {
        const Range range = groups.partitions_of(group);
        ASSERT_EQ(range.first, expected) << partitions << " by " << per_group;
        ASSERT_GT(range.end, range.first);
        ASSERT_EQ(range.end - range.first, groups.size(group));
        ASSERT_TRUE(groups.size(group) == per_group || (groups.size(group) < per_group && range.end == partitions));
        for (int partition = range.first; partition < range.end; ++partition) ASSERT_EQ(groups.of(partition), group);
        expected = range.end;
      }
      ASSERT_EQ(expected, partitions) << "by " << per_group;
    }
  }
}

TEST(PartitionGroups, NoneArePartitionsOfNobody) {
  const Groups none;
  EXPECT_EQ(none.partitions(), 0);
  EXPECT_EQ(none.count(), 0);
}

TEST(PartitionGroups, FindsThoseOfAllNumbersThereAreAsADivisionWould) {
  std::mt19937_64 random(test::new_seed());
  std::uniform_int_distribution<int> any(1, INT_MAX);
  const auto check = [](int per_group, int partition) {
    const Groups groups(INT_MAX, per_group);
    ASSERT_EQ(groups.of(partition), partition / per_group) << partition << " by " << per_group;
    ASSERT_EQ(groups.count(), (INT_MAX - 1) / per_group + 1);
  };
  for (int bits = 0; bits < 31; ++bits) {
    for (int near = -1; near <= 1; ++near) {
      const int per_group = (1 << bits) + near;
      if (per_group < 1) continue;
      for (const int partition : {0, 1, per_group - 1, per_group, INT_MAX - 2, INT_MAX - 1})
        check(per_group, partition);
    }
  }
  for (int i = 0; i < 100'000 * test::effort(); ++i) {
    const int per_group = any(random) >> std::uniform_int_distribution(0, 30)(random);
    if (per_group == 0) continue;
    const int partition = any(random) - 1;
    check(per_group, partition);
    check(per_group, partition / per_group * per_group);  // the first of a group, where rounding would show
  }
}

/// The groups with a byte between two places, counted byte by byte.
std::vector<int> groups_with(std::size_t begin, std::size_t end, std::size_t group_bytes, std::size_t bytes) {
  std::vector<int> found;
  for (std::size_t at = begin; at < std::min(end, bytes); ++at) {
    const auto group = static_cast<int>(at / group_bytes);
    if (found.empty() || found.back() != group) found.push_back(group);
  }
  return found;
}

TEST(PartitionGroupsUnder, APartitionOfTheReceiverAreThoseWithBytesOfIt) {
  for (std::size_t partition_bytes = 1; partition_bytes <= 9; ++partition_bytes) {
    for (std::size_t group_bytes = 1; group_bytes <= 9; ++group_bytes) {
      for (std::size_t bytes = 1; bytes <= 30; ++bytes) {  // of the sender
        const auto groups = static_cast<int>((bytes + group_bytes - 1) / group_bytes);
        for (int partition = 0; partition < 8; ++partition) {
          const std::size_t begin = static_cast<std::size_t>(partition) * partition_bytes;
          const Range under = groups_under(partition, partition_bytes, group_bytes, groups);
          ASSERT_GE(under.first, 0);
          ASSERT_LT(under.first, under.end);
          ASSERT_LE(under.end, groups);
          const std::vector<int> expected = groups_with(begin, begin + partition_bytes, group_bytes, bytes);
          if (expected.empty()) continue;  // the sender has less
          ASSERT_EQ(under.first, expected.front()) << partition << " of " << partition_bytes << " in " << group_bytes;
          ASSERT_EQ(under.end, expected.back() + 1) << partition << " of " << partition_bytes << " in " << group_bytes;
        }
      }
    }
  }
}

TEST(PartitionGroupsUnder, WhatHasNoBytesAreAll) {
  for (const auto& [partition_bytes, group_bytes] : {std::pair{0, 8}, std::pair{8, 0}, std::pair{0, 0}}) {
    const Range under =
        groups_under(3, static_cast<std::size_t>(partition_bytes), static_cast<std::size_t>(group_bytes), 5);
    EXPECT_EQ(under.first, 0);
    EXPECT_EQ(under.end, 5);
  }
  EXPECT_EQ(groups_under(9, 8, 8, 2).first, 0);
  EXPECT_EQ(groups_under(9, 8, 8, 2).end, 2);
}

TEST(PartitionGroupsUnder, LargeBuffersDoNotOverflow) {
  const std::size_t partition_bytes = std::size_t{1} << 32U;
  const Range under = groups_under(INT_MAX - 1, partition_bytes, partition_bytes, INT_MAX);
  EXPECT_EQ(under.first, INT_MAX - 1);
  EXPECT_EQ(under.end, INT_MAX);
}

}  // namespace
}  // namespace raddle::partitioned
