// SPDX-License-Identifier: BSD-3-Clause
// tests/cli/test_plan_teams.py has the same of raddle/plan/teams.py.
#include "core/teams.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace raddle::bench {
namespace {

constexpr auto threads = Contexts::threads;
constexpr auto processes = Contexts::processes;

PointSet set_of(int count, std::map<std::string, Value> params, Placement placement = Placement::node) {
  return {"made_up", placement, {}, {.threads = count, .params = std::move(params)}};
}

Value number(int value) { return std::int64_t{value}; }
Value word(const char* value) { return std::string(value); }

TEST(Teams, ContextsTwoByTwo) {
  EXPECT_EQ(teams::pairs(threads, set_of(3, {})), (Team{3, 2, {3, 3}}));
  EXPECT_EQ(teams::partners(threads, set_of(3, {{"partner", word("other")}})), (Team{3, 2, {3, 3}}));
  EXPECT_EQ(teams::partners(threads, set_of(3, {{"partner", word("self")}})), (Team{3, 1, {3}}));
  EXPECT_EQ(teams::collective_compute(threads, set_of(3, {})), (Team{4, 2, {4, 4}}));
  EXPECT_EQ(teams::groups(threads, set_of(3, {{"parties", number(4)}})), (Team{3, 4, {3, 3, 3, 3}}));
}

TEST(Teams, AllContextsOfOneFlow) {
  EXPECT_EQ(teams::sides(threads, set_of(2, {})), (Team{1, 4, {2, 2}}));
  EXPECT_EQ(teams::sides(threads, set_of(2, {{"parties", number(3)}})), (Team{1, 6, {2, 2, 2}}));
  EXPECT_EQ(teams::sides(processes, set_of(2, {{"parties", number(3)}})), (Team{1, 6, {1, 1, 1, 1, 1, 1}}));
  EXPECT_EQ(teams::sides(threads, set_of(2, {{"parties", number(3)}}, Placement::one_process)), (Team{1, 6, {6}}));
  EXPECT_EQ(teams::ranks(processes, set_of(1, {{"ranks", number(3)}})), (Team{1, 3, {1, 1, 1}}));
  EXPECT_EQ(teams::ranks(threads, set_of(1, {{"ranks", number(5)}})), (Team{1, 5, {3, 2}}));
  EXPECT_EQ(teams::ranks(threads, set_of(1, {{"ranks", number(5)}}, Placement::one_process)), (Team{1, 5, {5}}));
}

TEST(Teams, SidesThatAreNotAlike) {
  EXPECT_EQ(teams::short_long(threads, set_of(2, {})), (Team{2, 2, {2, 1, 1}}));
  EXPECT_EQ(teams::short_long(processes, set_of(2, {})), (Team{2, 2, {1, 1, 1, 1}}));
  EXPECT_EQ(teams::partitioned(threads, set_of(3, {})), (Team{1, 4, {3, 1}}));
  EXPECT_EQ(teams::partitioned(threads, set_of(3, {{"order", word("neighbours")}})), (Team{1, 6, {3, 3}}));
  EXPECT_EQ(teams::partitioned(threads, set_of(3, {}, Placement::one_process)), (Team{1, 4, {4}}));
  EXPECT_THROW(teams::partitioned(processes, set_of(3, {})), PlanError);
}

TEST(Teams, WhoHelpsAlongIsBusyAsWell) {
  for (const char* alone : {"none", "proxy"}) {
    EXPECT_EQ(teams::ring(threads, set_of(1, {{"neighbours", number(2)}, {"progress", word(alone)}})),
              (Team{1, 3, {1, 1, 1}}));
  }
  EXPECT_EQ(teams::ring(processes, set_of(1, {{"neighbours", number(2)}, {"progress", word("library")}})).busy(), 6);
}

}  // namespace
}  // namespace raddle::bench
