// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace raddle::bench {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_plan(text);
  } catch (const PlanError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* whole =
    R"({"schema": 1, "launch": "b2-x", "block": 2, "seed": 7, "mpi": "mpich", "profile": "shared", "pin": "spread", "patience": 12.5,
  "sampling": {"min_samples": 6, "max_samples": 9, "batch": 3, "half_width": 0.1, "min_sample_seconds": 0.002, "max_seconds": 1, "warmup_seconds": 0.1},
  "sets": [{"benchmark": "msgrate", "placement": "one-process", "variants": ["thread", "lane"], "params": {"bytes": 16, "threads": 3, "window": 5}}]})";

TEST(ParsePlan, ReadsEveryKey) {
  const Plan plan = parse_plan(whole);
  EXPECT_EQ(plan.launch, "b2-x");
  EXPECT_EQ(plan.block, 2);
  EXPECT_EQ(plan.seed, 7U);
  EXPECT_EQ(plan.profile, "shared");
  EXPECT_EQ(plan.pin, Pin::spread);
  EXPECT_EQ(plan.sampling.min_samples, 6);
  EXPECT_EQ(plan.sampling.max_samples, 9);
  EXPECT_EQ(plan.sampling.batch, 3);
  EXPECT_DOUBLE_EQ(plan.sampling.half_width, 0.1);
  ASSERT_EQ(plan.sets.size(), 1U);
  EXPECT_EQ(plan.sets[0].placement, Placement::one_process);
  EXPECT_EQ(plan.sets[0].variants, (std::vector<std::string>{"thread", "lane"}));
  EXPECT_EQ(plan.sets[0].work.whole("bytes"), 16);
  EXPECT_EQ(plan.sets[0].work.whole("threads"), 3);
  EXPECT_EQ(plan.sets[0].work.whole("window"), 5);
  EXPECT_DOUBLE_EQ(plan.patience, 12.5);
}

TEST(ParsePlan, RefusalsNameTheKeyAndWhatIsAllowed) {
  EXPECT_NE(refusal("{").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal(R"({"schema": 2})").find("'schema' is 2; this program reads 1"), std::string::npos);
  EXPECT_NE(refusal(R"({"schema": 1, "sets": []})").find("at least one set"), std::string::npos);
  EXPECT_NE(refusal(R"({"schema": 1, "colour": 1})").find("unknown key 'colour'; allowed: schema"), std::string::npos);
  const auto set = [](const std::string& body) { return refusal(R"({"schema": 1, "sets": [)" + body + "]}"); };
  EXPECT_NE(set(R"({"variants": ["thread"]})").find("needs 'benchmark'"), std::string::npos);
  EXPECT_NE(set(R"({"benchmark": "latency"})").find("needs 'variants'"), std::string::npos);
  EXPECT_NE(set(R"({"benchmark": "latency", "variants": ["thread"], "placement": "moon"})")
                .find("'placement' is 'moon'; allowed: one-process, node, no-shm, netns, nodes"),
            std::string::npos);
  EXPECT_NE(set(R"({"benchmark": "latency", "variants": ["thread"], "params": {"bytes": [1]}})")
                .find("'bytes' must be a number or a word, and is [1]"),
            std::string::npos);
}

}  // namespace
}  // namespace raddle::bench
