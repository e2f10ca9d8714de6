// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.hpp"

#include <gtest/gtest.h>

namespace raddle::bench {
namespace {

/// A registry with one benchmark and one variant, and a plan with one set of them.
struct Desk {
  Desk() {
    registry.add(Benchmark{
        "made_up",
        "",
        {"rate", "op/s", "higher", Kind::rate, [](const Work&) { return 1.0; }},
        {{"bytes", 8, ""}, {"threads", 2, ""}, {"ratio", 1.5, ""}, {"mode", std::string("fast"), "", {"fast", "slow"}}},
        0,
        nullptr});
    registry.add(Variant{"thread", "", Contexts::threads});
  }
  Work complete(std::map<std::string, Value> params) {
    Plan plan;
    plan.sets.push_back({"made_up", Placement::node, {"thread"}, {.params = std::move(params)}});
    registry.complete(plan);
    return plan.sets.front().work;
  }
  std::string refusal(std::map<std::string, Value> params) {
    try {
      complete(std::move(params));
    } catch (const PlanError& error) {
      return error.what();
    }
    return "accepted";
  }
  Registry registry;
};

TEST(RegistryComplete, AddsWhatThePlanLeavesOut) {
  const Work work = Desk().complete({{"bytes", std::int64_t{64}}, {"ratio", std::int64_t{2}}});
  EXPECT_EQ(work.bytes, 64);
  EXPECT_EQ(work.threads, 2);
  EXPECT_DOUBLE_EQ(work.real("ratio"), 2.0);  // a whole number will do for a fraction
  EXPECT_EQ(work.word("mode"), "fast");
  EXPECT_THROW(static_cast<void>(work.whole("mode")), PlanError);
  EXPECT_THROW(static_cast<void>(work.word("colour")), PlanError);
}

TEST(RegistryComplete, RefusalsNameTheParameterAndWhatIsAllowed) {
  Desk desk;
  EXPECT_EQ(desk.refusal({{"mode", std::string("red")}}), "'mode' is 'red'; allowed: fast, slow");
  EXPECT_EQ(desk.refusal({{"bytes", std::int64_t{-1}}}), "'bytes' is -1; allowed: 0 to 1073741824");
  EXPECT_EQ(desk.refusal({{"threads", std::string("two")}}), "'threads' is two; it is of the type of 2");
  EXPECT_EQ(desk.refusal({{"window", std::int64_t{1}}}),
            "made_up has no parameter 'window'; allowed: bytes, mode, ratio, threads");
}

}  // namespace
}  // namespace raddle::bench
