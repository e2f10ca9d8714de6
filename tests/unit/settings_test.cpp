// SPDX-License-Identifier: BSD-3-Clause
#include "platform/settings.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace raddle::platform {
namespace {

Settings parse(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return parse_settings(environment.data());
}

std::string refusal(const char* item) {
  try {
    parse({item});
  } catch (const SettingsError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Settings, DefaultsAndValues) {
  EXPECT_EQ(parse({"PATH=/bin", "MPIR_CVAR_X=1"}).lanes_max, 1024);
  EXPECT_EQ(parse({"RADDLE_LANES_MAX=7"}).lanes_max, 7);
  EXPECT_TRUE(parse({}).lanes_reuse);
  EXPECT_FALSE(parse({"RADDLE_LANES_REUSE=0"}).lanes_reuse);
  EXPECT_FALSE(parse({"RADDLE_COUNT_CALLS=0"}).count_calls);
  EXPECT_TRUE(parse({"RADDLE_COUNT_CALLS=1"}).count_calls);
}

TEST(Settings, DefaultsAndValuesOfEndpoints) {
  const Settings plain = parse({});
  EXPECT_EQ(plain.eager, std::nullopt);
  EXPECT_EQ(plain.engine, EngineName::direct);
  EXPECT_EQ(plain.node, NodeScope::host);
  EXPECT_EQ(plain.single_copy, SingleCopy::automatic);
  EXPECT_EQ(plain.thread_level, ThreadLevel::multiple);
  EXPECT_EQ(plain.watchdog, 0);
  const Settings set = parse({"RADDLE_EAGER=0", "RADDLE_ENGINE=direct", "RADDLE_NODE=rank", "RADDLE_SINGLE_COPY=off",
                              "RADDLE_THREAD_LEVEL=program", "RADDLE_WATCHDOG=2.5"});
  EXPECT_EQ(set.eager, 0U);
  EXPECT_EQ(set.engine, EngineName::direct);
  EXPECT_EQ(set.node, NodeScope::rank);
  EXPECT_EQ(set.single_copy, SingleCopy::off);
  EXPECT_EQ(set.thread_level, ThreadLevel::program);
  EXPECT_EQ(set.watchdog, 2.5);
  const Settings said = parse({"RADDLE_EAGER=8589934592", "RADDLE_NODE=host", "RADDLE_SINGLE_COPY=auto",
                               "RADDLE_THREAD_LEVEL=multiple", "RADDLE_WATCHDOG=0"});
  EXPECT_EQ(said.eager, std::size_t{1} << 33U);
  EXPECT_EQ(said.node, NodeScope::host);
  EXPECT_EQ(said.single_copy, SingleCopy::automatic);
  EXPECT_EQ(said.thread_level, ThreadLevel::multiple);
  EXPECT_EQ(said.watchdog, 0);
}

TEST(Settings, DefaultsAndValuesOfProxies) {
  const Settings plain = parse({});
  EXPECT_EQ(plain.proxies, 0);
  EXPECT_EQ(plain.proxy_cpus, "");
  EXPECT_EQ(plain.proxy_heap, std::nullopt);
  EXPECT_FALSE(plain.proxy_oversubscribe);
  EXPECT_EQ(plain.proxy_progress, ProxyProgress::wait);
  EXPECT_EQ(plain.proxy_start, ProxyStart::split);
  const Settings set =
      parse({"RADDLE_ENGINE=proxy", "RADDLE_PROXIES=4", "RADDLE_PROXY_CPUS=0-3,8", "RADDLE_PROXY_HEAP=64",
             "RADDLE_PROXY_OVERSUBSCRIBE=1", "RADDLE_PROXY_PROGRESS=async", "RADDLE_PROXY_START=spawn"});
  EXPECT_EQ(set.engine, EngineName::proxy);
  EXPECT_EQ(set.proxies, 4);
  EXPECT_EQ(set.proxy_cpus, "0-3,8");
  EXPECT_EQ(set.proxy_heap, 64U);
  EXPECT_TRUE(set.proxy_oversubscribe);
  EXPECT_EQ(set.proxy_progress, ProxyProgress::async);
  EXPECT_EQ(set.proxy_start, ProxyStart::spawn);
  for (const char* const bad : {"RADDLE_PROXIES=-1", "RADDLE_PROXIES=1025", "RADDLE_PROXY_CPUS=", "RADDLE_PROXY_CPUS=a",
                                "RADDLE_PROXY_HEAP=0", "RADDLE_PROXY_PROGRESS=always"})
    EXPECT_NE(refusal(bad).find("; valid: "), std::string::npos) << bad;
}

TEST(Settings, DefaultsAndValuesOfPartitionedCommunication) {
  const Settings plain = parse({});
  EXPECT_FALSE(plain.partitioned);
  EXPECT_EQ(plain.part_policy, PartPolicy::automatic);
  EXPECT_EQ(plain.part_min_bytes, std::nullopt);
  EXPECT_EQ(plain.part_max_messages, 256);
  EXPECT_EQ(plain.part_lanes, 1);
  EXPECT_TRUE(plain.part_direct);
  const Settings set = parse({"RADDLE_PARTITIONED=1", "RADDLE_PART_DIRECT=0", "RADDLE_PART_LANES=64",
                              "RADDLE_PART_MAX_MESSAGES=1", "RADDLE_PART_MIN_BYTES=8589934592"});
  EXPECT_TRUE(set.partitioned);
  EXPECT_FALSE(set.part_direct);
  EXPECT_EQ(set.part_lanes, 64);
  EXPECT_EQ(set.part_max_messages, 1);
  EXPECT_EQ(set.part_min_bytes, std::size_t{1} << 33U);
  const Settings said = parse({"RADDLE_PARTITIONED=0", "RADDLE_PART_DIRECT=1", "RADDLE_PART_LANES=1",
                               "RADDLE_PART_MAX_MESSAGES=256", "RADDLE_PART_MIN_BYTES=1"});
  EXPECT_FALSE(said.partitioned);
  EXPECT_TRUE(said.part_direct);
  EXPECT_EQ(said.part_lanes, 1);
  EXPECT_EQ(said.part_max_messages, most_part_messages);
  EXPECT_EQ(said.part_min_bytes, 1U);
  EXPECT_EQ(parse({"RADDLE_PART_POLICY=auto"}).part_policy, PartPolicy::automatic);
  EXPECT_EQ(parse({"RADDLE_PART_POLICY=none"}).part_policy, PartPolicy::none);
  EXPECT_EQ(parse({"RADDLE_PART_POLICY=bulk"}).part_policy, PartPolicy::bulk);
  EXPECT_EQ(parse({"RADDLE_PART_POLICY=fixed"}).part_policy, PartPolicy::fixed);
  EXPECT_EQ(refusal("RADDLE_PART_POLICY=automatic"),
            "RADDLE_PART_POLICY is 'automatic'; valid: auto, none, bulk or fixed");
  for (const char* const bad : {"RADDLE_PARTITIONED=yes", "RADDLE_PART_DIRECT=", "RADDLE_PART_LANES=0",
                                "RADDLE_PART_LANES=65", "RADDLE_PART_MAX_MESSAGES=0", "RADDLE_PART_MAX_MESSAGES=257",
                                "RADDLE_PART_MIN_BYTES=0", "RADDLE_PART_MIN_BYTES=-1", "RADDLE_PART_MIN_BYTES=4k"})
    EXPECT_NE(refusal(bad).find("; valid: "), std::string::npos) << bad;
}

TEST(Settings, DefaultsAndValuesOfSparseExchanges) {
  const Settings plain = parse({});
  EXPECT_EQ(plain.sparse_algorithm, SparseAlgorithm::automatic);
  EXPECT_EQ(plain.sparse_lanes, 2);
  EXPECT_EQ(plain.sparse_radix, 4);
  EXPECT_FALSE(plain.sparse_sorted);
  const Settings set = parse(
      {"RADDLE_SPARSE_ALGORITHM=nbx", "RADDLE_SPARSE_LANES=64", "RADDLE_SPARSE_RADIX=2", "RADDLE_SPARSE_SORTED=1"});
  EXPECT_EQ(set.sparse_algorithm, SparseAlgorithm::nbx);
  EXPECT_EQ(set.sparse_lanes, 64);
  EXPECT_EQ(set.sparse_radix, 2);
  EXPECT_TRUE(set.sparse_sorted);
  const Settings said = parse(
      {"RADDLE_SPARSE_ALGORITHM=auto", "RADDLE_SPARSE_LANES=1", "RADDLE_SPARSE_RADIX=64", "RADDLE_SPARSE_SORTED=0"});
  EXPECT_EQ(said.sparse_algorithm, SparseAlgorithm::automatic);
  EXPECT_EQ(said.sparse_lanes, 1);
  EXPECT_EQ(said.sparse_radix, 64);
  EXPECT_FALSE(said.sparse_sorted);
  EXPECT_EQ(refusal("RADDLE_SPARSE_ALGORITHM=best"),
            "RADDLE_SPARSE_ALGORITHM is 'best'; valid: " + std::string(sparse_algorithms_valid));
  for (const char* const bad :
       {"RADDLE_SPARSE_ALGORITHM=", "RADDLE_SPARSE_ALGORITHM=NBX", "RADDLE_SPARSE_LANES=0", "RADDLE_SPARSE_LANES=65",
        "RADDLE_SPARSE_RADIX=1", "RADDLE_SPARSE_RADIX=65", "RADDLE_SPARSE_SORTED=true"})
    EXPECT_NE(refusal(bad).find("; valid: "), std::string::npos) << bad;
}

TEST(Settings, AMisspeltNameIsAnErrorThatListsTheValidOnes) {
  EXPECT_EQ(refusal("RADDLE_LANE_MAX=7"),
            "unknown environment variable RADDLE_LANE_MAX; valid names: RADDLE_COUNT_CALLS, RADDLE_EAGER, "
            "RADDLE_ENGINE, RADDLE_HOME, RADDLE_LANES_MAX, RADDLE_LANES_REUSE, RADDLE_NODE, RADDLE_PARTITIONED, "
            "RADDLE_PART_DIRECT, RADDLE_PART_LANES, RADDLE_PART_MAX_MESSAGES, RADDLE_PART_MIN_BYTES, "
            "RADDLE_PART_POLICY, RADDLE_PROXIES, RADDLE_PROXY_CPUS, RADDLE_PROXY_HEAP, RADDLE_PROXY_OVERSUBSCRIBE, "
            "RADDLE_PROXY_PROGRESS, "
            "RADDLE_PROXY_START, RADDLE_SINGLE_COPY, RADDLE_SPARSE_ALGORITHM, RADDLE_SPARSE_LANES, "
            "RADDLE_SPARSE_RADIX, RADDLE_SPARSE_SORTED, RADDLE_THREAD_LEVEL, RADDLE_WATCHDOG");
}

TEST(Settings, AHintStandsAboveItsSetting) {
  Settings asked = parse({"RADDLE_PART_POLICY=bulk", "RADDLE_SPARSE_SORTED=1"});
  take_hint(HintScope::partitioned, "raddle_part_policy", "none", asked);
  take_hint(HintScope::sparse, "raddle_sparse_sorted", "false", asked);
  take_hint(HintScope::lanes, "raddle_lanes_reuse", "false", asked);
  take_hint(HintScope::endpoints, "raddle_engine", "proxy", asked);
  EXPECT_EQ(asked.part_policy, PartPolicy::none);
  EXPECT_FALSE(asked.sparse_sorted);
  EXPECT_FALSE(asked.lanes_reuse);
  EXPECT_EQ(asked.engine, EngineName::proxy);
}

TEST(Settings, ABadHintSaysWhatIsValid) {
  const auto refused = [](HintScope of, const char* key, const char* value) {
    Settings asked;
    try {
      take_hint(of, key, value, asked);
    } catch (const HintError& error) {
      return std::pair(error.unknown, std::string(error.what()));
    }
    return std::pair(false, std::string("accepted"));
  };
  EXPECT_EQ(refused(HintScope::lanes, "raddle_sparse_sorted", "true"),
            std::pair(true, std::string("unknown info key raddle_sparse_sorted; valid: raddle_lanes_reuse")));
  EXPECT_EQ(refused(HintScope::partitioned, "raddle_part_direct", "0"),
            std::pair(true, std::string("unknown info key raddle_part_direct; valid: raddle_part_max_messages, "
                                        "raddle_part_min_bytes, raddle_part_policy")));
  EXPECT_EQ(refused(HintScope::sparse, "raddle_sparse_sorted", "1"),
            std::pair(false, std::string("info key raddle_sparse_sorted is '1'; valid: true or false")));
  EXPECT_EQ(refused(HintScope::endpoints, "raddle_engine", "pigeon"),
            std::pair(false, std::string("info key raddle_engine is 'pigeon'; valid: direct or proxy")));
}

TEST(Settings, CpusOfProxiesAreNotCutShort) {
  std::string most = "0";
  while (most.size() + 2 <= most_cpus_characters) most += ",0";
  EXPECT_EQ(parse({("RADDLE_PROXY_CPUS=" + most).c_str()}).proxy_cpus, most);
  EXPECT_NE(refusal(("RADDLE_PROXY_CPUS=" + most + ",1").c_str()).find("255 characters"), std::string::npos);
}

TEST(Settings, ABadValueSaysWhatIsValid) {
  for (const char* item : {"RADDLE_LANES_MAX=", "RADDLE_LANES_MAX=0", "RADDLE_LANES_MAX=-3", "RADDLE_LANES_MAX=7x",
                           "RADDLE_LANES_MAX=99999999999"}) {
    EXPECT_NE(refusal(item).find("valid: an integer >= 1"), std::string::npos) << item;
  }
  EXPECT_EQ(refusal("RADDLE_COUNT_CALLS=yes"), "RADDLE_COUNT_CALLS is 'yes'; valid: 0 or 1");
  EXPECT_EQ(refusal("RADDLE_ENGINE=pigeon"), "RADDLE_ENGINE is 'pigeon'; valid: direct or proxy");
  EXPECT_EQ(refusal("RADDLE_NODE=Host"), "RADDLE_NODE is 'Host'; valid: host or rank");
  EXPECT_EQ(refusal("RADDLE_SINGLE_COPY=on"), "RADDLE_SINGLE_COPY is 'on'; valid: auto or off");
  EXPECT_EQ(refusal("RADDLE_THREAD_LEVEL="), "RADDLE_THREAD_LEVEL is ''; valid: multiple or program");
  for (const char* item :
       {"RADDLE_EAGER=", "RADDLE_EAGER=-1", "RADDLE_EAGER=4k", "RADDLE_EAGER=18446744073709551616"}) {
    EXPECT_NE(refusal(item).find("valid: an integer >= 0 (bytes)"), std::string::npos) << item;
  }
  for (const char* item : {"RADDLE_WATCHDOG=", "RADDLE_WATCHDOG=-1", "RADDLE_WATCHDOG=-0.1", "RADDLE_WATCHDOG=1s",
                           "RADDLE_WATCHDOG=inf", "RADDLE_WATCHDOG=nan"}) {
    EXPECT_NE(refusal(item).find("valid: a number of seconds >= 0; 0 is off"), std::string::npos) << item;
  }
}

}  // namespace
}  // namespace raddle::platform
