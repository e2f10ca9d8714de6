// SPDX-License-Identifier: BSD-3-Clause
#include "suites/partitioned/partitioned_pattern.hpp"

#include <gtest/gtest.h>

#include <set>

namespace raddle::bench {
namespace {

using Order = std::vector<int>;

TEST(PartitionOrder, HasEveryPartitionOnce) {
  for (const char* name : {"linear", "inverse", "random", "stride"}) {
    for (const int partitions : {1, 2, 37, 64}) {
      const Order order = partition_order(name, partitions, 8);
      EXPECT_EQ(order.size(), static_cast<std::size_t>(partitions)) << name;
      EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), order.size()) << name;
      EXPECT_EQ(*std::ranges::max_element(order), partitions - 1) << name;
      EXPECT_GE(*std::ranges::min_element(order), 0) << name;
    }
  }
}

TEST(PartitionOrder, IsWhatItsNameSays) {
  EXPECT_EQ(partition_order("linear", 4, 1), (Order{0, 1, 2, 3}));
  EXPECT_EQ(partition_order("inverse", 4, 1), (Order{3, 2, 1, 0}));
  EXPECT_EQ(partition_order("stride", 7, 3), (Order{0, 3, 6, 1, 4, 2, 5}));
  EXPECT_NE(partition_order("random", 64, 1), partition_order("linear", 64, 1));
}

TEST(PartitionOrder, IsTheSameInEveryProcess) {
  EXPECT_EQ(partition_order("random", 1000, 1), partition_order("random", 1000, 1));
}

TEST(PartOf, DealsAllOfItInContiguousParts) {
  const Order order = partition_order("linear", 10, 1);
  Order together;
  for (int thread = 0; thread < 3; ++thread) {
    const auto part = part_of(std::span<const int>(order), thread, 3);
    EXPECT_TRUE(part.size() == 3 || part.size() == 4);
    together.insert(together.end(), part.begin(), part.end());
  }
  EXPECT_EQ(together, order);
}

TEST(Merged, TakesThreadsInTurn) {
  const Order order = partition_order("linear", 5, 1);
  EXPECT_EQ(merged(order, 1), order);
  EXPECT_EQ(merged(order, 2), (Order{0, 2, 1, 3, 4}));
  EXPECT_EQ(merged(order, 5), order);
}

constexpr Nanoseconds spread = 8'000'000;

TEST(Production, WithoutNoiseIsEven) {
  Production production("none", spread, 0, 1);
  EXPECT_EQ(production.round(4), (std::vector<Nanoseconds>{2'000'000, 4'000'000, 6'000'000, 8'000'000}));
  EXPECT_TRUE(production.round(0).empty());
}

TEST(Production, NoiseRisesAndKeepsTheMean) {
  for (const char* noise : {"uniform", "gaussian"}) {
    Production production(noise, spread, 0, 2);
    double sum = 0;
    constexpr int rounds = 200;
    std::set<Nanoseconds> ends;
    for (int i = 0; i < rounds; ++i) {
      const auto due = production.round(64);
      EXPECT_TRUE(std::ranges::is_sorted(due)) << noise;
      sum += static_cast<double>(due.back());
      ends.insert(due.back());
    }
    EXPECT_NEAR(sum / rounds, spread, 0.02 * spread) << noise;
    EXPECT_GT(ends.size(), rounds / 2) << noise;  // no round is like another one
  }
}

TEST(Production, UniformNoiseStaysWithinHalfAStep) {
  Production production("uniform", spread, 0, 1);
  const auto due = production.round(8);
  Nanoseconds before = 0;
  for (const Nanoseconds each : due) {
    EXPECT_GE(each - before, 499'999);
    EXPECT_LE(each - before, 1'500'001);
    before = each;
  }
}

TEST(Production, OnlyTheLastThreadIsLateWhereOneIs) {
  EXPECT_EQ(Production("single", spread, 0, 2).round(1), (std::vector<Nanoseconds>{spread}));
  EXPECT_EQ(Production("single", spread, 1, 2).round(1), (std::vector<Nanoseconds>{spread + spread / 2}));
}

}  // namespace
}  // namespace raddle::bench
