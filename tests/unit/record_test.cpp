// SPDX-License-Identifier: BSD-3-Clause
#include "core/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "core/registry.hpp"

namespace raddle::bench {
namespace {

const Work work{.bytes = 8, .threads = 2, .window = 10};

/// A rule of one clock.
Rule rule(Kind kind, double (*work_per_operation)(const Work&), std::span<const Reading> readings = {}) {
  return {kind, work_per_operation, readings, work, true};
}
const Rule rate = rule(Kind::rate, messages);
const Rule latency = rule(Kind::time, there_and_back);

SpanRecord span(Nanoseconds begin, Nanoseconds end, std::int64_t switches = 0) {
  return {.span = {begin, end}, .switches = switches, .wall = end - begin};
}

TEST(Evaluate, RateCountsFromTheFirstBeginToTheLastEnd) {
  // Two flows of 3 x 10 messages, staggered: 60 messages in 3 us, while each flow alone saw 30 in 2 us.
  const std::vector<SpanRecord> contexts{span(1000, 3000, 1), span(2000, 4000, 2), SpanRecord{}, SpanRecord{}};
  const SampleValue sample = evaluate(rate, 3, contexts);
  EXPECT_DOUBLE_EQ(sample.value, 60 / 3e-6);
  EXPECT_DOUBLE_EQ(sample.flows, 2 * 30 / 2e-6);
  EXPECT_EQ(sample.switches, 3);
}

TEST(Evaluate, WithoutACommonClockTheLongestFlowDecides) {
  const std::vector<SpanRecord> contexts{span(1000, 3000), span(9'000'000, 9'004'000)};
  EXPECT_DOUBLE_EQ(evaluate({Kind::rate, messages, {}, work, false}, 3, contexts).value, 60 / 4e-6);
}

TEST(Evaluate, LatencyIsTheMedianFlowAndKeepsTheSlowest) {
  const std::vector<SpanRecord> contexts{span(0, 4000), span(0, 8000), span(0, 60'000)};
  const SampleValue sample = evaluate(latency, 2, contexts);  // 2 round trips = 4 half ones
  EXPECT_DOUBLE_EQ(sample.value, 2.0);
  EXPECT_DOUBLE_EQ(sample.flows, 15.0);
}

TEST(Evaluate, ReadingsAreFoldedOverThoseWhoHaveThem) {
  const std::vector<Reading> names{{"share"}, {"max", Fold::most}, {"nobody"}};
  std::vector<SpanRecord> contexts{span(0, 1000), span(0, 1000), span(0, 1000), span(0, 1000)};
  contexts[0].readings = {0.2, 5, unread, unread, unread, unread};
  contexts[1].readings = {0.4, 7, unread, unread, unread, unread};
  contexts[2].readings = {0.9, unread, unread, unread, unread, unread};
  const SampleValue sample = evaluate(rule(Kind::reading, nullptr, names), 1, contexts);
  EXPECT_DOUBLE_EQ(sample.value, 0.4);
  EXPECT_DOUBLE_EQ(sample.readings[1], 7);
  EXPECT_TRUE(std::isnan(sample.readings[2]));
}

TEST(Record, GrowsTowardsTheTargetAndNeverShrinks) {
  Record record;
  EXPECT_EQ(record.next_iterations(1e-6, 1e-3), 10);  // tenfold at most
  record.iterations = 100;
  EXPECT_EQ(record.next_iterations(0.5e-3, 1e-3), 240);
  EXPECT_EQ(record.next_iterations(2e-3, 1e-3), 100);
}

SampleValue sample_of(double value, double wall = 0.001) {
  return {.value = value, .flows = value, .readings = no_readings, .seconds = wall, .wall = wall, .switches = 0};
}

TEST(Record, StopsWhenNarrowOrWhenTimeOrCountIsSpent) {
  const Sampling sampling{.min_samples = 6, .max_samples = 50, .batch = 5, .half_width = 0.05, .max_seconds = 1.0};
  Record narrow;
  for (int i = 0; i < 5; ++i) narrow.add(sample_of(100 + i % 2));
  EXPECT_FALSE(narrow.finished(sampling));  // too few to know
  narrow.add(sample_of(100));
  EXPECT_TRUE(narrow.converged(sampling));
  EXPECT_TRUE(narrow.finished(sampling));

  Record wide;
  for (int i = 0; i < 49; ++i) wide.add(sample_of(i % 2 == 0 ? 1 : 100));
  EXPECT_FALSE(wide.finished(sampling));
  wide.add(sample_of(1));
  EXPECT_TRUE(wide.finished(sampling));
  EXPECT_FALSE(wide.converged(sampling));

  Record slow;
  slow.add(sample_of(1, 2.0));
  EXPECT_TRUE(slow.finished(sampling));
}

TEST(Record, AffordsWhatTheBudgetAllows) {
  const Sampling sampling{.batch = 10, .max_seconds = 1.0};
  Record record;
  EXPECT_EQ(record.affordable(sampling), 1);
  record.add(sample_of(1, 0.25));
  EXPECT_EQ(record.affordable(sampling), 3);
  record.add(sample_of(1, 0.70));
  EXPECT_EQ(record.affordable(sampling), 1);  // never none: the caller asks `finished` for that
}

TEST(Record, WarmUpLeavesNothingBehindButItsCount) {
  Record record;
  for (int i = 0; i < 7; ++i) record.add(sample_of(1));
  record.start_measuring();
  EXPECT_EQ(record.warmup_samples, 7);
  EXPECT_TRUE(record.samples.empty());
  EXPECT_EQ(record.seconds, 0);
}

TEST(Settled, WaitsUntilTheMedianStopsFalling) {
  EXPECT_FALSE(settled(std::vector<double>(9, 1.0)));
  EXPECT_TRUE(settled(std::vector<double>(10, 1.0)));
  std::vector<double> falling;
  for (int i = 0; i < 10; ++i) falling.push_back(10 - i);
  EXPECT_FALSE(settled(falling));
  EXPECT_TRUE(settled(std::vector<double>{9, 8, 7, 6, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace raddle::bench
