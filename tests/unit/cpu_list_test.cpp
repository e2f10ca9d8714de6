// SPDX-License-Identifier: BSD-3-Clause
#include "core/cpu_list.hpp"

#include <gtest/gtest.h>

namespace raddle::bench {
namespace {

TEST(CpuList, SurvivesTheRoundTrip) {
  const std::vector<std::vector<int>> lists{{0, 1, 17}, {4}, {2, 3}};
  EXPECT_EQ(to_text(lists), "0 1 17,4,2 3");
  EXPECT_EQ(lists_from(to_text(lists)), lists);
  EXPECT_TRUE(lists_from("").empty());
}

}  // namespace
}  // namespace raddle::bench
