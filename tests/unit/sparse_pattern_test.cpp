// SPDX-License-Identifier: BSD-3-Clause
#include "suites/dsde/sparse_pattern.hpp"

#include <gtest/gtest.h>

#include <set>

namespace raddle::bench {
namespace {

using Destinations = std::vector<int>;

constexpr int rounds = 50;

std::set<int> as_set(const Destinations& ranks) { return {ranks.begin(), ranks.end()}; }

int distance(int a, int b, int ranks) { return std::min(std::abs(a - b), ranks - std::abs(a - b)); }

TEST(SparsePattern, SendsToOthersAndToEachOnce) {
  for (const char* name : {"random", "clustered", "skewed", "nearest", "empty"}) {
    for (const int ranks : {2, 3, 4, 7, 16, 33}) {
      for (const double fraction : {0.1, 0.5, 1.0}) {
        const SparsePattern pattern(name, ranks, fraction, 1);
        for (int exchange = 0; exchange < rounds; ++exchange) {
          const Destinations dests = pattern.destinations(exchange, exchange % ranks);
          EXPECT_EQ(as_set(dests).size(), dests.size()) << name << ' ' << ranks;
          EXPECT_FALSE(as_set(dests).contains(exchange % ranks)) << name << ' ' << ranks;
          for (const int dest : dests) EXPECT_TRUE(dest >= 0 && dest < ranks) << name << ' ' << ranks;
        }
      }
    }
  }
}

TEST(SparsePattern, HasTheFractionOfNeighboursAndOneAtLeast) {
  for (const char* name : {"random", "clustered", "skewed"}) {
    EXPECT_EQ(SparsePattern(name, 2, 0.1, 1).destinations(0, 0).size(), 1U) << name;
    EXPECT_EQ(SparsePattern(name, 16, 0.1, 1).destinations(0, 5).size(), 2U) << name;
    EXPECT_EQ(SparsePattern(name, 32, 0.1, 1).destinations(0, 5).size(), 3U) << name;
    EXPECT_EQ(SparsePattern(name, 16, 1.0, 1).destinations(0, 5).size(), 15U) << name;
  }
}

TEST(SparsePattern, DrawsAnewInEachExchangeAndAlikeInEachRun) {
  const SparsePattern pattern("random", 64, 0.1, 1);
  const SparsePattern twin("random", 64, 0.1, 1);
  const SparsePattern other("random", 64, 0.1, 2);
  EXPECT_EQ(pattern.destinations(3, 5), twin.destinations(3, 5));
  EXPECT_NE(pattern.destinations(3, 5), pattern.destinations(4, 5));
  EXPECT_NE(pattern.destinations(3, 5), pattern.destinations(3, 6));
  EXPECT_NE(pattern.destinations(3, 5), other.destinations(3, 5));
}

TEST(SparsePattern, RandomOnesAreDrawnFromAll) {
  const SparsePattern pattern("random", 16, 0.1, 1);
  std::set<int> met;
  for (int exchange = 0; exchange < rounds; ++exchange) met.merge(as_set(pattern.destinations(exchange, 5)));
  EXPECT_EQ(met.size(), 15U);
}

TEST(SparsePattern, ClusteredOnesAreNearInRank) {
  const SparsePattern pattern("clustered", 64, 0.1, 1);  // six of each
  std::set<int> met;
  for (int exchange = 0; exchange < rounds; ++exchange) {
    for (const int dest : pattern.destinations(exchange, 62)) {
      EXPECT_LE(distance(62, dest, 64), 7);
      met.insert(dest);
    }
  }
  EXPECT_EQ(met.size(), 14U);
}

TEST(SparsePattern, SkewedOnesAreFewInAnExchange) {
  const int ranks = 64;
  const SparsePattern pattern("skewed", ranks, 0.02, 1);  // one of each
  std::vector<int> received(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    for (const int dest : pattern.destinations(7, rank)) ++received[static_cast<std::size_t>(dest)];
  }
  std::ranges::sort(received, std::greater<>());
  EXPECT_GT(received[0] + received[1] + received[2] + received[3], ranks / 2);
}

TEST(SparsePattern, NearestOnesAreThoseOfAGrid) {
  EXPECT_EQ(as_set(SparsePattern("nearest", 16, 0.1, 1).destinations(9, 5)), (std::set<int>{1, 4, 6, 9}));
  EXPECT_EQ(as_set(SparsePattern("nearest", 32, 0.1, 1).destinations(0, 0)), (std::set<int>{1, 7, 8, 24}));
  EXPECT_EQ(as_set(SparsePattern("nearest", 4, 0.1, 1).destinations(0, 0)), (std::set<int>{1, 2}));
  EXPECT_EQ(as_set(SparsePattern("nearest", 7, 0.1, 1).destinations(0, 0)), (std::set<int>{1, 6}));
}

TEST(SparsePattern, EmptyOnesSendNothing) {
  EXPECT_TRUE(SparsePattern("empty", 16, 0.1, 1).destinations(0, 3).empty());
  EXPECT_TRUE(SparsePattern("empty", 16, 0.1, 1).sources(0, 3).empty());
}

TEST(SparsePattern, TellsWhoseMessagesCome) {
  for (const char* name : {"random", "clustered", "skewed", "nearest"}) {
    const SparsePattern pattern(name, 16, 0.25, 3);
    for (int rank = 0; rank < 16; ++rank) {
      const std::set<int> sources = as_set(pattern.sources(11, rank));
      for (int other = 0; other < 16; ++other)
        EXPECT_EQ(sources.contains(other), as_set(pattern.destinations(11, other)).contains(rank)) << name;
    }
  }
}

}  // namespace
}  // namespace raddle::bench
