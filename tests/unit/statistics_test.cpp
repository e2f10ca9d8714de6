// SPDX-License-Identifier: BSD-3-Clause
#include "core/statistics.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace raddle::bench {
namespace {

TEST(MedianRanks, FewerThanSixHaveNone) {
  for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_ranks(n)) << n;
}

// Exact binomial ranks from tables of the sign test.
TEST(MedianRanks, KnownAnswers) {
  struct Known {
    int n, lo, hi;
  };
  for (const Known k : {Known{6, 1, 6},
                        {7, 1, 7},
                        {8, 1, 8},
                        {9, 2, 8},
                        {10, 2, 9},
                        {12, 3, 10},
                        {15, 4, 12},
                        {20, 6, 15},
                        {25, 8, 18}}) {
    const auto ranks = median_ranks(k.n);
    ASSERT_TRUE(ranks) << k.n;
    EXPECT_EQ(ranks->lo, k.lo) << k.n;
    EXPECT_EQ(ranks->hi, k.hi) << k.n;
  }
}

TEST(MedianRanks, LargeNFollowsTheFormula) {
  const auto ranks = median_ranks(100);
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->lo, 40);  // floor((100 - 19.6) / 2)
  EXPECT_EQ(ranks->hi, 61);  // ceil(1 + (100 + 19.6) / 2)
}

TEST(MedianRanks, StayInsideTheSample) {
  for (int n = 6; n < 2000; ++n) {
    const auto ranks = median_ranks(n);
    ASSERT_TRUE(ranks);
    EXPECT_GE(ranks->lo, 1) << n;
    EXPECT_LE(ranks->hi, n) << n;
  }
}

TEST(Median, OddAndEven) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
}

TEST(RelativeHalfWidth, OfNineValuesUsesTheSecondAndTheEighth) {
  const std::vector<double> values{9, 8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_DOUBLE_EQ(*relative_half_width(values), (8.0 - 2.0) / 2 / 5);
  EXPECT_FALSE(relative_half_width(std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace raddle::bench
