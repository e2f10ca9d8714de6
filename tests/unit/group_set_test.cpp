// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "partitioned/groups.hpp"

namespace raddle::partitioned {
namespace {

std::vector<int> all_of(GroupSet& set) {
  std::vector<int> taken;
  set.take_all([&](int group) { taken.push_back(group); });
  return taken;
}

TEST(GroupSet, GivesWhatWasPutInOnceAndInOrder) {
  GroupSet set;
  EXPECT_TRUE(all_of(set).empty());
  for (const int group : {255, 0, 64, 63, 128, 5}) set.add(group);
  EXPECT_EQ(all_of(set), (std::vector{0, 5, 63, 64, 128, 255}));
  EXPECT_TRUE(all_of(set).empty());
}

TEST(GroupSet, EachOfItsPlacesIsItsOwn) {
  for (int group = 0; group < most_groups; ++group) {
    GroupSet set;
    set.add(group);
    ASSERT_EQ(all_of(set), std::vector{group});
  }
}

/// Some put groups in and two take them out, each in its way: nothing is lost, nothing comes twice, and what was
/// written before a group was put in is there.
TEST(GroupSet, LosesNothingBetweenThreads) {
  constexpr int adding = 2;
  constexpr int each = most_groups / adding;
  for (int round = 0; round < 200 * test::effort(); ++round) {
    GroupSet set;
    std::vector<int> data(most_groups);
    std::vector<std::atomic<int>> taken(most_groups);
    std::atomic<int> left{most_groups};
    std::atomic<int> wrong{0};
    const auto take = [&](int group) {
      if (data[static_cast<std::size_t>(group)] != group + 1) ++wrong;
      if (taken[static_cast<std::size_t>(group)].fetch_add(1) != 0) ++wrong;
      --left;
    };
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < adding; ++thread) {
        threads.emplace_back([&, thread] {
          for (int i = 0; i < each; ++i) {
            const int group = i * adding + thread;
            data[static_cast<std::size_t>(group)] = group + 1;
            set.add(group);
          }
        });
      }
      threads.emplace_back([&] {
        while (left > 0) {
          set.take_all(take);
          std::this_thread::yield();
        }
      });
      threads.emplace_back([&] {
        while (left > 0) {
          const Range run = set.take_run(true, 3);
          for (int group = run.first; group < run.end; ++group) take(group);
          if (run.first == run.end) std::this_thread::yield();
        }
      });
    }
    ASSERT_EQ(wrong, 0);
    ASSERT_EQ(left, 0);
  }
}

TEST(GroupSet, GivesRunsFromEitherEnd) {
  GroupSet set;
  for (const int group : {1, 2, 3, 4, 63, 64, 65, 200}) set.add(group);
  const auto expect = [](Range run, int first, int end) {
    EXPECT_EQ(run.first, first);
    EXPECT_EQ(run.end, end);
  };
  expect(set.take_run(true, 2), 1, 3);
  expect(set.take_run(false, 8), 200, 201);
  expect(set.take_run(false, 8), 64, 66);
  expect(set.take_run(true, 8), 3, 5);
  expect(set.take_run(true, 8), 63, 64);  // runs end with a word
  const Range none = set.take_run(true, 8);
  EXPECT_EQ(none.first, none.end);
  for (int group = 64; group < 128; ++group) set.add(group);
  expect(set.take_run(false, 64), 64, 128);
}

TEST(GroupSet, GivesEachOfARunToOneOfTwo) {
  constexpr int rounds = 2000;
  GroupSet set;
  for (int round = 0; round < rounds; ++round) {
    for (int group = 0; group < most_groups; ++group) set.add(group);
    std::array<int, 2> sums{};
    const auto take = [&](bool first) {
      for (Range run = set.take_run(first, 5); run.first < run.end; run = set.take_run(first, 5)) {
        for (int group = run.first; group < run.end; ++group) sums[first ? 0 : 1] += group;
      }
    };
    std::thread other(take, false);
    take(true);
    other.join();
    // What one put back while the other looked may be left.
    take(true);
    EXPECT_EQ(sums[0] + sums[1], most_groups * (most_groups - 1) / 2);
  }
}

}  // namespace
}  // namespace raddle::partitioned
