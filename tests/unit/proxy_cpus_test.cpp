// SPDX-License-Identifier: BSD-3-Clause
// Where proxies go.
#include <gtest/gtest.h>
#include <sched.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "engines/proxy/server/cpus.hpp"

namespace raddle::proxy {
namespace {

cpu_set_t these(std::initializer_list<int> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

/// Eight cores of one CPU each.
NodeCpus a_node(std::vector<cpu_set_t> processes, int each) {
  return {.cores = {0, 1, 2, 3, 4, 5, 6, 7},
          .all = {0, 1, 2, 3, 4, 5, 6, 7},
          .processes = std::move(processes),
          .proxies_each = each};
}
const cpu_set_t everywhere = these({0, 1, 2, 3, 4, 5, 6, 7});

TEST(ProxyCpus, AreThoseBehindTheThreadsOfAnUnboundProgram) {
  const Placed placed = place_proxies(a_node({everywhere, everywhere}, 2), "");
  EXPECT_EQ(placed.problem, "");
  EXPECT_EQ(placed.cpus, (std::vector{4, 5, 6, 7}));
  EXPECT_FALSE(placed.crowded);
}

TEST(ProxyCpus, AreThoseThatABoundProgramLeavesFree) {
  const Placed placed = place_proxies(a_node({these({0, 1, 2}), these({4, 5, 6})}, 1), "");
  EXPECT_EQ(placed.problem, "");
  EXPECT_EQ(placed.cpus, (std::vector{3, 7}));
}

TEST(ProxyCpus, AreThoseThatTheUserNames) {
  EXPECT_EQ(place_proxies(a_node({everywhere}, 3), "6-7,1").cpus, (std::vector{6, 7, 1}));
}

TEST(ProxyCpus, AreTooFew) {
  const Placed placed = place_proxies(a_node({everywhere, everywhere}, 3), "");
  EXPECT_EQ(placed.cpus, std::vector<int>{});
  EXPECT_TRUE(placed.crowded);
  EXPECT_NE(placed.problem.find("the 6 proxies of a node need a core each, and there are 2 cores"), std::string::npos)
      << placed.problem;
}

/// Four cores of two CPUs each.
TEST(ProxyCpus, ShareCoresBeforeTheyShareCpus) {
  NodeCpus node = a_node({everywhere, everywhere}, 2);
  node.cores = {0, 1, 2, 3};
  const Placed placed = place_proxies(node, "");
  EXPECT_EQ(placed.cpus, (std::vector{4, 5, 6, 7}));
  EXPECT_FALSE(placed.crowded);
  EXPECT_NE(placed.problem.find("there are 0 cores"), std::string::npos) << placed.problem;
  node.processes = {these({0, 1, 4, 5}), these({2, 6})};
  node.proxies_each = 1;
  EXPECT_EQ(place_proxies(node, "").cpus, (std::vector{3, 7}));
}

TEST(ProxyCpus, MustBeThere) {
  EXPECT_NE(place_proxies(a_node({everywhere}, 1), "9").problem.find("RADDLE_PROXY_CPUS=9 is no list"),
            std::string::npos);
  EXPECT_NE(place_proxies(a_node({everywhere}, 1), "3-").problem, "");
}

TEST(ProxyCpus, AreWrittenAsAList) {
  EXPECT_EQ(parse_cpus("0-2,5"), (std::vector{0, 1, 2, 5}));
  EXPECT_EQ(parse_cpus("7"), std::vector{7});
  for (const char* const bad : {"", "-", "1-", "2-1", "1,", ",1", "1 ,2", "99999999", "a"})
    EXPECT_EQ(parse_cpus(bad), std::nullopt) << bad;
}

TEST(ProxyCpus, OfThisMachineAreSome) {
  const NodeCpus node = look_at_node();
  EXPECT_FALSE(node.all.empty());
  EXPECT_FALSE(node.cores.empty());
  EXPECT_LE(node.cores.size(), node.all.size());
}

}  // namespace
}  // namespace raddle::proxy
