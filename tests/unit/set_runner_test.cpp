// SPDX-License-Identifier: BSD-3-Clause
// The sampler against arms that cost nothing and remember everything.
#include "core/set_runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace raddle::bench {
namespace {

using Json = nlohmann::json;

/// What the scripted arms saw, in the order of the sender of flow 0.
struct Journal {
  std::vector<std::string> order;
  std::map<std::string, int> joined;
  std::map<std::string, int> quit;
  int stale_starts = 0;
  bool one_clock = true;
};
Journal* journal = nullptr;
std::mutex journal_guard;

class ScriptedWorker final : public Worker {
 public:
  ScriptedWorker(std::string variant, const Seat& seat) : variant_(std::move(variant)), seat_(seat) {}
  Span sample(std::int64_t iterations) override {
    if (seat_.context == 0) journal->order.push_back(variant_);
    if (seat_.context == 0 && start_ <= last_start_) ++journal->stale_starts;
    last_start_ = start_;
    if (seat_.side == Side::receiver) return {};
    const Nanoseconds begin = now();
    return {begin, begin + 1000 * iterations};  // 1 us an operation, whatever the machine does
  }
  void start_at(Nanoseconds moment) override { start_ = moment; }
  [[nodiscard]] Readings readings() const override {
    return {2.0 * seat_.flow, unread, unread, unread, unread, unread};
  }
  [[nodiscard]] std::vector<double> trace() const override {
    return seat_.context == 1 ? std::vector<double>{3, 1, 2} : std::vector<double>{};
  }
  Validation validate() override { return {100, variant_ == "corrupt" && seat_.context == 1 ? 3 : 0}; }

 private:
  std::string variant_;
  Seat seat_;
  Nanoseconds start_ = 0;
  Nanoseconds last_start_ = 0;
};

class ScriptedArm final : public Arm {
 public:
  explicit ScriptedArm(std::string variant) : variant_(std::move(variant)) {}
  std::unique_ptr<Worker> join(const Seat& seat) override {
    const std::lock_guard lock(journal_guard);
    ++journal->joined[variant_];
    journal->one_clock = seat.one_clock;
    return std::make_unique<ScriptedWorker>(variant_, seat);
  }
  void quit(const Seat&) override {
    const std::lock_guard lock(journal_guard);
    ++journal->quit[variant_];
  }

 private:
  std::string variant_;
};

void register_scripted() {
  Registry& registry = Registry::instance();
  registry.add(Benchmark{{"scripted", "costs nothing", "rate", "op/s", "higher", {}},
                         {.kind = Kind::rate,
                          .arm = [](const std::string& variant, const Team&, const Work&) -> std::unique_ptr<Arm> {
                            if (variant == "absent") throw Unavailable("not on this machine");
                            return std::make_unique<ScriptedArm>(variant);
                          },
                          .readings = {{"double"}, {"nothing"}},
                          .common_start = true}});
  for (const char* name : {"a", "b", "c", "absent", "corrupt"}) registry.add(Variant{name, "", Contexts::threads});
  registry.add(Variant{"many", "", Contexts::processes});
  registry.add(Variant{"proxied", "", Contexts::threads, true});
}

struct Outcome {
  Journal journal;
  std::vector<Json> lines;
  int errors = 0;
};

/// Measures a set of scripted variants on the first of these nodes and returns all that was printed.
Outcome run(std::vector<std::string> variants, int threads = 1, std::vector<Node> nodes = {{{0}, allowed_cpus()}}) {
  register_scripted();
  Outcome outcome;
  journal = &outcome.journal;
  Plan plan;
  plan.launch = "unit";
  plan.seed = 5;
  plan.sampling = {.min_samples = 6,
                   .max_samples = 30,
                   .batch = 5,
                   .half_width = 0.05,
                   .min_sample_seconds = 50e-6,
                   .max_seconds = 30,
                   .warmup_seconds = 10};
  const PointSet set{"scripted", Placement::one_process, std::move(variants), {8, threads, 1, {}}};
  LocalControl control;
  const Machine machine{std::move(nodes), 0, allowed_cpus()};
  testing::internal::CaptureStdout();
  Emitter emit(plan, true);
  SetRunner(control, plan, set, machine, emit).run();
  std::istringstream printed(testing::internal::GetCapturedStdout());
  for (std::string line; std::getline(printed, line);) outcome.lines.push_back(Json::parse(line));
  outcome.errors = emit.errors();
  return outcome;
}

TEST(SetRunner, PrintsARowForEachVariantWithTheScriptedValue) {
  const Outcome outcome = run({"a", "b"});
  ASSERT_EQ(outcome.lines.size(), 2U);
  for (const Json& row : outcome.lines) {
    EXPECT_EQ(row["type"], "row");
    EXPECT_EQ(row["converged"], true);
    EXPECT_EQ(row["validated_bytes"], 200);
    EXPECT_EQ(row["busy_contexts"], 2);
    EXPECT_EQ(row["cpus"].size(), 2U);
    EXPECT_GE(row["iterations"], 50);  // grown until a sample lasts 50 us
    for (const double value : row["samples"]) EXPECT_NEAR(value, 1e6, 1);
  }
}

TEST(SetRunner, TellsReadingsTraceAndANewStartForEverySample) {
  const Outcome outcome = run({"a"}, 2);
  const Json& row = outcome.lines.at(0);
  EXPECT_EQ(row["extra"]["double"], Json(std::vector<double>(row["samples"].size(), 1.0)));  // median of flows 0 and 1
  EXPECT_FALSE(row["extra"].contains("nothing"));
  EXPECT_EQ(row["extra"]["trace"]["us"], Json(std::vector<double>{3, 1, 2}));
  EXPECT_FALSE(row["extra"].contains("path"));  // one process: no message left it
  EXPECT_EQ(outcome.journal.stale_starts, 0);
}

TEST(SetRunner, EveryThreadJoinsAndQuitsEveryArmOnce) {
  const Outcome outcome = run({"a", "b", "c"}, 2);
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(outcome.journal.joined.at(name), 4) << name;
    EXPECT_EQ(outcome.journal.quit.at(name), 4) << name;
  }
}

TEST(SetRunner, InterleavesEveryRoundInRandomOrder) {
  const Outcome outcome = run({"a", "b", "c"});
  const auto& order = outcome.journal.order;
  std::size_t measured = 0;
  for (const Json& row : outcome.lines) measured += row["samples"].size();
  ASSERT_EQ(measured % 3, 0U);
  std::set<std::string> kinds;
  for (std::size_t i = order.size() - measured; i < order.size(); i += 3) {
    std::string round = order[i] + order[i + 1] + order[i + 2];
    kinds.insert(round);
    std::ranges::sort(round);
    EXPECT_EQ(round, "abc");  // each variant once a round
  }
  EXPECT_GT(kinds.size(), 1U);  // not always in the same order
}

TEST(SetRunner, SkipsWhatIsUnavailableAndMeasuresTheRest) {
  const Outcome outcome = run({"absent", "a"});
  ASSERT_EQ(outcome.lines.size(), 2U);
  EXPECT_EQ(outcome.lines[0]["type"], "skip");
  EXPECT_EQ(outcome.lines[0]["message"], "not on this machine");
  EXPECT_EQ(outcome.lines[1]["variant"], "a");
  EXPECT_EQ(outcome.errors, 0);
}

TEST(SetRunner, NeverTimesWhatFailsValidation) {
  const Outcome outcome = run({"corrupt", "a"});
  ASSERT_EQ(outcome.lines.size(), 2U);
  EXPECT_EQ(outcome.lines[0]["code"], "validation");
  EXPECT_EQ(outcome.lines[0]["variant"], "corrupt");
  EXPECT_EQ(outcome.lines[1]["variant"], "a");
  EXPECT_EQ(outcome.errors, 1);
  EXPECT_EQ(std::ranges::count(outcome.journal.order, "corrupt"), 0);
}

TEST(SetRunner, FlagsOversubscription) {
  const int threads = static_cast<int>(allowed_cpus().size());  // two contexts a flow: twice as many as CPUs
  const Outcome outcome = run({"a"}, threads);
  ASSERT_EQ(outcome.lines.size(), 1U);
  const auto flags = outcome.lines[0]["flags"].get<std::vector<std::string>>();
  EXPECT_NE(std::ranges::find(flags, "oversubscribed"), flags.end());
}

TEST(SetRunner, CountsProxiesThatItNeverSees) {
  const Outcome outcome = run({"proxied"});
  ASSERT_EQ(outcome.lines.size(), 1U);
  EXPECT_EQ(outcome.lines[0]["busy_contexts"], 4);
  EXPECT_EQ(outcome.lines[0]["cpus"].size(), 2U);
  const auto flags = outcome.lines[0]["flags"].get<std::vector<std::string>>();
  EXPECT_EQ(std::ranges::find(flags, "oversubscribed") != flags.end(), allowed_cpus().size() < 4);
}

TEST(SetRunner, TellsWhetherClocksCanBeCompared) {
  EXPECT_TRUE(run({"a"}).journal.one_clock);
  EXPECT_FALSE(run({"a"}, 1, {{{0}, allowed_cpus()}, {{}, {}}}).journal.one_clock);
}

TEST(SetRunner, WithoutACommonClockEveryStartIsNewToo) {
  const Outcome outcome = run({"a"}, 1, {{{0}, allowed_cpus()}, {{}, {}}});
  EXPECT_EQ(outcome.journal.stale_starts, 0);
  EXPECT_EQ(outcome.lines.at(0)["converged"], true);
}

TEST(SetRunner, CountsCpusWhereTheContextsAre) {
  const auto oversubscribed = [](std::vector<Node> nodes) {
    const auto flags = run({"a"}, 1, std::move(nodes)).lines.at(0)["flags"].get<std::vector<std::string>>();
    return std::ranges::find(flags, "oversubscribed") != flags.end();
  };
  const int cpu = allowed_cpus().front();
  EXPECT_TRUE(oversubscribed({{{0}, {cpu}}, {{}, {cpu, cpu + 1}}}));  // two contexts, all of them here
  EXPECT_FALSE(oversubscribed({{{0}, {cpu, cpu}}, {{}, {}}}));
}

TEST(SetRunner, RefusesALaunchOfAnotherSize) {
  register_scripted();
  const Plan plan;
  LocalControl control;
  const Machine machine{{{{0}, {0, 1}}}, 0, {0, 1}};
  Emitter emit(plan, false);
  const auto make = [&](std::vector<std::string> variants) {
    const PointSet set{"scripted", Placement::node, std::move(variants), {}};
    SetRunner(control, plan, set, machine, emit).run();
  };
  EXPECT_THROW(make({"many"}), PlanError);
  EXPECT_THROW(make({"a", "many"}), PlanError);
  EXPECT_THROW(make({"a", "proxied"}), PlanError);
}

}  // namespace
}  // namespace raddle::bench
