// SPDX-License-Identifier: BSD-3-Clause
#include "core/warm_up.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace raddle::bench {
namespace {

constexpr double target = 20e-6;

struct Outcome {
  Record record;
  std::int64_t operations = 0;  ///< of all warm-up samples
  std::int64_t longest = 0;
};

/// Warms up a library whose operation number n lasts pace(n) seconds.
Outcome warm(double budget, const std::function<double(std::int64_t)>& pace) {
  Outcome outcome;
  WarmUp warm_up(target, budget);
  bool warming = true;
  while (warming) {
    double seconds = 0;
    for (std::int64_t i = 0; i < outcome.record.iterations; ++i) seconds += pace(outcome.operations++);
    outcome.longest = std::max(outcome.longest, outcome.record.iterations);
    outcome.record.add(
        {.value = 1, .flows = 1, .readings = no_readings, .seconds = seconds, .wall = seconds, .switches = 0});
    warming = warm_up.go_on(outcome.record, seconds);
  }
  return outcome;
}

TEST(WarmUp, EndsWithSamplesOfTheTargetsLength) {
  const Outcome outcome = warm(0.06, [](std::int64_t) { return 1e-6; });
  EXPECT_GE(outcome.record.iterations, 20);
  EXPECT_LE(outcome.record.iterations, 30);
  EXPECT_GE(outcome.longest, 10'000);  // a burn-in of 10 ms
}

TEST(WarmUp, IsNotTakenInByASlowBeginningThatLooksSettled) {
  const Outcome outcome = warm(0.06, [](std::int64_t n) { return n < 1000 ? 6e-6 : 0.8e-6; });
  EXPECT_GT(outcome.operations, 1000);
  EXPECT_GE(static_cast<double>(outcome.record.iterations) * 0.8e-6, target);  // sized by the later pace
}

TEST(WarmUp, KeepsToItsBudgetWithinOneSample) {
  const Outcome slow = warm(0.01, [](std::int64_t) { return 0.1; });
  EXPECT_EQ(slow.operations, 1);
  EXPECT_EQ(slow.record.iterations, 1);
  const Outcome cut = warm(25e-6, [](std::int64_t) { return 1e-6; });
  EXPECT_LE(static_cast<double>(cut.operations) * 1e-6, 0.1e-3);
  EXPECT_LE(cut.record.iterations, 30);
}

}  // namespace
}  // namespace raddle::bench
