// SPDX-License-Identifier: BSD-3-Clause
// Everything one launch learns about one point, and when it has learnt enough.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/arm.hpp"
#include "core/plan.hpp"

namespace raddle::bench {

/// One sample on one context.
struct SpanRecord {
  Span span;
  Readings readings = no_readings;
  std::int64_t switches = 0;  ///< involuntary context switches during the sample
  Nanoseconds wall = 0;       ///< since the previous sample of this context ended: the sample and all its preparation
};

/// One sample of all contexts, as values.
struct SampleValue {
  double value;           ///< in the metric's unit
  double flows;           ///< rate: sum of the flows' own rates; time: the slowest flow; reading: nothing
  Readings readings;      ///< of all contexts together
  double seconds;         ///< duration of the sample
  double wall;            ///< what it cost the launch, preparation included
  std::int64_t switches;  ///< over all timing contexts
};

/// How samples of one benchmark are judged.
struct Rule {
  Kind kind;
  double (*work_per_operation)(const Work&);
  std::span<const Reading> readings;
  const Work& work;
  bool one_clock;  ///< false if contexts' clocks cannot be compared: then durations alone are used
};

/// @param contexts one record per context; those that did not time are ignored
SampleValue evaluate(const Rule& rule, std::int64_t iterations, std::span<const SpanRecord> contexts);

class Record {
 public:
  std::int64_t iterations = 1;
  std::vector<double> samples;
  std::vector<double> flows;
  std::vector<Readings> readings;
  std::vector<double> trace;  ///< single operations of the last sample, in us
  std::vector<std::int64_t> switches;
  int warmup_samples = 0;
  double seconds = 0;  ///< spent, preparation included
  Validation validation;

  void add(const SampleValue& sample);

  /// Counts the samples so far as warm-up and forgets their values.
  void start_measuring();

  /// Operations the next sample needs to last `target` seconds, judged by the last one; grows tenfold at most.
  [[nodiscard]] std::int64_t next_iterations(double last_seconds, double target) const;

  [[nodiscard]] bool converged(const Sampling& sampling) const;
  [[nodiscard]] bool finished(const Sampling& sampling) const;

  /// Samples that still fit into the time budget, between 1 and `sampling.batch`.
  [[nodiscard]] int affordable(const Sampling& sampling) const;
};

/// Warm-up rule: the running median of the last five stopped falling (MPICH's rule, made robust).
/// @param seconds_per_operation of all warm-up samples so far
bool settled(std::span<const double> seconds_per_operation);

}  // namespace raddle::bench
