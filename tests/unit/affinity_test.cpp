// SPDX-License-Identifier: BSD-3-Clause
#include "core/affinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

namespace raddle::bench {
namespace {

TEST(AssignCpus, CompactFillsFromTheFront) {
  EXPECT_EQ(assign_cpus({2, 4, 6, 8}, 3, Pin::compact), (std::vector<int>{2, 4, 6}));
}

TEST(AssignCpus, WrapsWhenContextsOutnumberCpus) {
  EXPECT_EQ(assign_cpus({0, 3}, 5, Pin::compact), (std::vector<int>{0, 3, 0, 3, 0}));
}

TEST(AssignCpus, NoneAssignsNothing) { EXPECT_TRUE(assign_cpus({0, 1}, 2, Pin::none).empty()); }

TEST(AssignCpus, SpreadStaysInsideAndNeverDoubles) {
  const std::vector<int> cpus = allowed_cpus();
  for (int contexts = 1; contexts <= static_cast<int>(cpus.size()); ++contexts) {
    const auto assigned = assign_cpus(cpus, contexts, Pin::spread);
    const std::set<int> distinct(assigned.begin(), assigned.end());
    EXPECT_EQ(static_cast<int>(distinct.size()), contexts);
    for (const int cpu : assigned) EXPECT_NE(std::ranges::find(cpus, cpu), cpus.end());
  }
}

TEST(PinTo, IsWhatTheKernelReportsBack) {
  std::thread([] {  // a thread of its own, so that the other tests keep their CPUs
    const std::vector<int> before = allowed_cpus();
    ASSERT_FALSE(before.empty());
    ASSERT_TRUE(pin_to(before.back()));
    EXPECT_EQ(allowed_cpus(), std::vector<int>{before.back()});
    allow(before);
    EXPECT_EQ(allowed_cpus(), before);
  })
      .join();
}

}  // namespace
}  // namespace raddle::bench
