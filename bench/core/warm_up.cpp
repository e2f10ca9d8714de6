// SPDX-License-Identifier: BSD-3-Clause
#include "core/warm_up.hpp"

#include <algorithm>
#include <cmath>

namespace raddle::bench {
namespace {

/// Operations that last so long at that pace.
std::int64_t operations(double seconds, double pace) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(seconds / std::max(pace, 1e-9))));
}

}  // namespace

WarmUp::WarmUp(double target, double budget) : target_(target), budget_(budget) {}

bool WarmUp::go_on(Record& record, double seconds) {
  pace_.push_back(seconds / static_cast<double>(record.iterations));
  const bool long_enough = seconds >= target_;
  if (phase_ == Phase::growing && long_enough) {
    phase_ = Phase::burning_in;
    record.iterations = operations(std::max(std::min(budget_ / 2, longest_burn_in), target_), pace_.back());
  } else if (phase_ == Phase::burning_in) {
    phase_ = Phase::settling;
    record.iterations = operations(1.2 * target_, pace_.back());
  } else {
    record.iterations = record.next_iterations(seconds, target_);
  }
  if (record.seconds < budget_ && !(phase_ == Phase::settling && long_enough && settled(pace_))) return true;
  // Cut off before or within the burn-in: what comes next is a sample, not that.
  if (phase_ == Phase::burning_in) record.iterations = operations(1.2 * target_, pace_.back());
  return false;
}

}  // namespace raddle::bench
