// SPDX-License-Identifier: BSD-3-Clause
#include "core/team.hpp"

#include <gtest/gtest.h>

#include "core/plan.hpp"

namespace raddle::bench {
namespace {

/// What holds for every team: seats and contexts are one to one, partners are each other's and of one flow.
void expect_consistent(const Team& team) {
  int context = 0;
  for (int process = 0; process < team.processes(); ++process) {
    for (int thread = 0; thread < team.threads[static_cast<std::size_t>(process)]; ++thread, ++context) {
      const Seat seat = team.seat(process, thread);
      EXPECT_EQ(seat.context, context);
      EXPECT_EQ(team.process_of(context), process);
      EXPECT_EQ(seat.party * team.flows + seat.flow, context);
      EXPECT_EQ(seat.side == Side::sender, seat.party == 0);
      if (team.parties == 2) {
        const int distance = team.partner_of(seat) - context;
        EXPECT_EQ(distance, seat.party == 0 ? team.flows : -team.flows);
      }
    }
  }
  EXPECT_EQ(context, team.contexts());
}

TEST(Team, SeatsEveryContextOnce) {
  for (const int flows : {1, 2, 5}) {
    for (const int parties : {2, 3}) {
      expect_consistent(make_team(flows, parties, Contexts::threads, Placement::node));
      expect_consistent(make_team(flows, parties, Contexts::threads, Placement::one_process));
      expect_consistent(make_team(flows, parties, Contexts::processes, Placement::netns));
    }
  }
  expect_consistent({2, 2, {2, 1, 1}});
}

TEST(Team, ProcessesAndThreads) {
  EXPECT_EQ(make_team(3, 2, Contexts::processes, Placement::node).threads, std::vector<int>(6, 1));
  EXPECT_EQ(make_team(3, 2, Contexts::threads, Placement::no_shm).threads, (std::vector<int>{3, 3}));
  EXPECT_EQ(make_team(3, 2, Contexts::threads, Placement::one_process).threads, std::vector<int>{6});
  EXPECT_THROW(make_team(1, 2, Contexts::processes, Placement::one_process), PlanError);
}

TEST(Team, CountsHelpersAsBusy) {
  Team team = make_team(1, 5, Contexts::processes, Placement::node);
  team.helpers = 1;
  EXPECT_EQ(team.contexts(), 5);
  EXPECT_EQ(team.busy(), 10);
}

TEST(Team, CountsProxiesOfEachProcessAsBusy) {
  Team team = make_team(2, 2, Contexts::threads, Placement::node);
  team.proxies = 2;
  EXPECT_EQ(team.contexts(), 4);
  EXPECT_EQ(team.busy(), 8);
}

TEST(Team, OnANodeAreThoseOfItsProcesses) {
  Team team{3, 2, {3, 1, 2}};
  team.helpers = 1;
  team.proxies = 3;
  const std::vector<int> first{0};
  const std::vector<int> others{1, 2};
  EXPECT_EQ(team.contexts_of(first), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(team.contexts_of(others), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(team.busy(first), 3 * 2 + 3);
  EXPECT_EQ(team.busy(first) + team.busy(others), team.busy());
}

TEST(Team, OfOnePartyEachIsItsOwnPartner) {
  const Team team = make_team(3, 1, Contexts::threads, Placement::node);
  EXPECT_EQ(team.threads, std::vector<int>{3});
  for (int thread = 0; thread < 3; ++thread) EXPECT_EQ(team.partner_of(team.seat(0, thread)), thread);
}

}  // namespace
}  // namespace raddle::bench
