// SPDX-License-Identifier: BSD-3-Clause
#include "core/record.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics.hpp"

namespace raddle::bench {

namespace {

/// One reading of all contexts that have it.
double fold(Fold how, std::size_t index, std::span<const SpanRecord> contexts) {
  std::vector<double> values;
  for (const SpanRecord& record : contexts) {
    if (!std::isnan(record.readings[index])) values.push_back(record.readings[index]);
  }
  if (values.empty()) return unread;
  return how == Fold::most ? *std::ranges::max_element(values) : median(values);
}

}  // namespace

SampleValue evaluate(const Rule& rule, std::int64_t iterations, std::span<const SpanRecord> contexts) {
  std::vector<double> seconds;
  SampleValue result{};
  result.readings = no_readings;
  Span whole{};
  for (const SpanRecord& record : contexts) {
    result.wall = std::max(result.wall, static_cast<double>(record.wall) * 1e-9);
    if (!record.span.timed()) continue;
    const double duration = static_cast<double>(std::max<Nanoseconds>(record.span.end - record.span.begin, 1)) * 1e-9;
    whole.begin = seconds.empty() ? record.span.begin : std::min(whole.begin, record.span.begin);
    whole.end = std::max(whole.end, record.span.end);
    seconds.push_back(duration);
    result.switches += record.switches;
  }
  const double longest = *std::ranges::max_element(seconds);
  result.seconds = rule.one_clock ? static_cast<double>(whole.end - whole.begin) * 1e-9 : longest;
  for (std::size_t i = 0; i < rule.readings.size(); ++i) result.readings[i] = fold(rule.readings[i].fold, i, contexts);
  if (rule.kind == Kind::reading) {
    result.value = result.readings[0];
    return result;
  }
  const double work_per_flow = rule.work_per_operation(rule.work) * static_cast<double>(iterations);
  if (rule.kind == Kind::rate) {
    result.value = work_per_flow * static_cast<double>(seconds.size()) / result.seconds;
    for (const double s : seconds) result.flows += work_per_flow / s;
  } else {
    result.value = median(seconds) * 1e6 / work_per_flow;
    result.flows = longest * 1e6 / work_per_flow;
  }
  return result;
}

void Record::add(const SampleValue& sample) {
  samples.push_back(sample.value);
  flows.push_back(sample.flows);
  readings.push_back(sample.readings);
  switches.push_back(sample.switches);
  seconds += sample.wall;
}

void Record::start_measuring() {
  warmup_samples = static_cast<int>(samples.size());
  samples.clear();
  flows.clear();
  readings.clear();
  switches.clear();
  seconds = 0;
}

std::int64_t Record::next_iterations(double last_seconds, double target) const {
  if (last_seconds >= target) return iterations;
  const double factor = std::clamp(1.2 * target / std::max(last_seconds, 1e-9), 1.5, 10.0);
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(iterations) * factor));
}

bool Record::converged(const Sampling& sampling) const {
  if (static_cast<int>(samples.size()) < sampling.min_samples) return false;
  const auto width = relative_half_width(samples);
  return width && *width <= sampling.half_width;
}

bool Record::finished(const Sampling& sampling) const {
  const int n = static_cast<int>(samples.size());
  return converged(sampling) || n >= sampling.max_samples || (n > 0 && seconds >= sampling.max_seconds);
}

int Record::affordable(const Sampling& sampling) const {
  if (samples.empty()) return 1;
  const double each = std::max(seconds / static_cast<double>(samples.size()), 1e-9);
  const double fit = std::min((sampling.max_seconds - seconds) / each, static_cast<double>(sampling.batch));
  return std::max(1, static_cast<int>(fit));
}

bool settled(std::span<const double> seconds_per_operation) {
  constexpr std::size_t reach = 5;
  const std::size_t n = seconds_per_operation.size();
  if (n < 2 * reach) return false;
  return median(seconds_per_operation.subspan(n - reach)) >=
         0.99 * median(seconds_per_operation.subspan(n - 2 * reach, reach));
}

}  // namespace raddle::bench
