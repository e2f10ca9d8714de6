// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.hpp"

#include <gtest/gtest.h>

namespace raddle::bench {
namespace {

/// A registry with one benchmark and one variant, and a plan with one set of them.
struct Desk {
  Desk() {
    registry.add(Benchmark{{"made_up",
                            "",
                            "rate",
                            "op/s",
                            "higher",
                            {{"bytes", 8, ""},
                             {"threads", 2, ""},
                             {"depth", 3, "", {}, ValueRange{1, 9}},
                             {"ratio", 1.5, "", {}, ValueRange{0, 4}},
                             {"mode", std::string("fast"), "", {"fast", "slow"}}}},
                           {.kind = Kind::rate, .check = [](const PointSet& set) {
                              if (set.work.whole("depth") == set.work.threads) throw PlanError("as deep as wide");
                            }}});
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
            "made_up has no parameter 'window'; allowed: bytes, depth, mode, ratio, threads");
  EXPECT_EQ(desk.refusal({{"depth", std::int64_t{10}}}), "'depth' is 10; allowed: 1 to 9");
  EXPECT_EQ(desk.refusal({{"ratio", std::int64_t{0}}}), "'ratio' is 0; allowed: above 0, 4 at most");
  EXPECT_EQ(desk.refusal({{"ratio", 4.5}}), "'ratio' is 4.5; allowed: above 0, 4 at most");
}

TEST(RegistryComplete, ABenchmarkRefusesWhatDoesNotSuitEachOther) {
  Desk desk;
  EXPECT_EQ(desk.refusal({{"depth", std::int64_t{9}}}), "accepted");
  EXPECT_EQ(desk.refusal({{"depth", std::int64_t{4}}, {"threads", std::int64_t{4}}}), "as deep as wide");
}

}  // namespace
}  // namespace raddle::bench
