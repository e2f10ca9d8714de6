// SPDX-License-Identifier: BSD-3-Clause
// All groups of few members, against models that are plain to read.
#include "endpoints/groups/group_algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace raddle::endpoints {
namespace {

/// Every arrangement of every subset of four members, of two processes.
std::vector<Members> all_groups() {
  const Members everyone{{0, 0}, {0, 1}, {1, 0}, {1, 2}};
  std::vector<Members> all{{}};
  for (std::size_t at = 0; at < all.size(); ++at) {
    for (const Member& member : everyone) {
      if (std::ranges::find(all[at], member) != all[at].end()) continue;
      Members longer = all[at];
      longer.push_back(member);
      all.push_back(longer);
    }
  }
  return all;
}

bool has(const Members& group, const Member& member) { return std::ranges::find(group, member) != group.end(); }

TEST(GroupAlgebra, DoesAsASimpleModelForAllPairs) {
  const std::vector<Members> all = all_groups();
  ASSERT_EQ(all.size(), 65U);  // 1 + 4 + 4*3 + 4*3*2 + 4*3*2*1
  for (const Members& one : all) {
    for (const Members& other : all) {
      Members both;
      Members left;
      Members either = one;
      for (const Member& member : one) (has(other, member) ? both : left).push_back(member);
      for (const Member& member : other) {
        if (!has(one, member)) either.push_back(member);
      }
      EXPECT_EQ(group_intersection(one, other), both);
      EXPECT_EQ(group_difference(one, other), left);
      EXPECT_EQ(group_union(one, other), either);
      const bool same = one.size() == other.size() && both.size() == one.size();
      const Likeness expected = one == other ? Likeness::identical : same ? Likeness::similar : Likeness::different;
      EXPECT_EQ(compare_groups(one, other), expected);
      std::vector<int> among;
      for (const Member& member : one) {
        const auto at = std::ranges::find(other, member);
        among.push_back(at == other.end() ? Ranks::none : static_cast<int>(at - other.begin()));
      }
      EXPECT_EQ(ranks_among(other, one), among);
      const Ranks ranks(other);
      for (const Member& member : one) {
        const auto found = std::ranges::find(other, member);
        EXPECT_EQ(ranks.of(member), found == other.end() ? Ranks::none : static_cast<int>(found - other.begin()));
      }
    }
  }
}

/// All lists of up to three ranks from -1 to 4.
std::vector<std::vector<int>> all_ranks() {
  std::vector<std::vector<int>> all{{}};
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at].size() == 3) continue;
    for (int rank = -1; rank <= 4; ++rank) {
      std::vector<int> longer = all[at];
      longer.push_back(rank);
      all.push_back(longer);
    }
  }
  return all;
}

TEST(GroupAlgebra, ChoosesByAllListsOfRanks) {
  for (const Members& group : all_groups()) {
    for (const std::vector<int>& ranks : all_ranks()) {
      bool good = true;
      for (const int rank : ranks)
        good = good && rank >= 0 && rank < static_cast<int>(group.size()) && std::ranges::count(ranks, rank) == 1;
      Members chosen;
      Members others;
      ASSERT_EQ(include(group, ranks, chosen), good ? Flaw::none : Flaw::rank);
      ASSERT_EQ(exclude(group, ranks, others), good ? Flaw::none : Flaw::rank);
      if (!good) continue;
      ASSERT_EQ(chosen.size(), ranks.size());
      for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(chosen[i], group[static_cast<std::size_t>(ranks[i])]);
      EXPECT_EQ(others, group_difference(group, chosen));
    }
  }
}

TEST(GroupAlgebra, ExpandsAllRanges) {
  constexpr int size = 4;
  for (int first = -1; first <= size; ++first) {
    for (int last = -1; last <= size; ++last) {
      for (int stride = -3; stride <= 3; ++stride) {
        std::vector<int> ranks;
        const Flaw flaw = expand(std::vector{RankRange{first, last, stride}}, size, ranks);
        if (stride == 0 || (last - first) * stride < 0) {
          EXPECT_EQ(flaw, Flaw::range) << first << ':' << last << ':' << stride;
          continue;
        }
        std::vector<int> model;
        for (int i = 0; i <= (last - first) / stride; ++i) model.push_back(first + i * stride);
        const bool good = std::ranges::all_of(model, [](int rank) { return rank >= 0 && rank < size; });
        EXPECT_EQ(flaw, good ? Flaw::none : Flaw::rank) << first << ':' << last << ':' << stride;
        if (good) {
          EXPECT_EQ(ranks, model);
        }
      }
    }
  }
}

TEST(GroupAlgebra, PutsRangesOneAfterTheOther) {
  std::vector<int> ranks;
  EXPECT_EQ(expand(std::vector{RankRange{6, 2, -2}, RankRange{0, 1, 1}}, 8, ranks), Flaw::none);
  EXPECT_EQ(ranks, (std::vector<int>{6, 4, 2, 0, 1}));
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_EQ(expand(std::vector{RankRange{0, most, most}}, 8, ranks), Flaw::rank);  // and does not overflow
  EXPECT_EQ(expand(std::vector{RankRange{0, most, 1}}, 8, ranks), Flaw::rank);     // nor take for ever
}

}  // namespace
}  // namespace raddle::endpoints
