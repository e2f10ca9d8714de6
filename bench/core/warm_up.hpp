// SPDX-License-Identifier: BSD-3-Clause
// Before a point is measured: how long a sample must be, and when the library has settled.
#pragma once

#include <vector>

#include "core/record.hpp"

namespace raddle::bench {

/// Drives the warm-up samples of one point. Samples grow until one lasts `target` seconds; then comes one long one, the
/// burn-in, because a library's first thousand messages can take ten times as long as all later ones and yet look
/// settled (Intel MPI, whose queues are touched for the first time); then samples go on until they stop getting faster.
class WarmUp {
 public:
  /// @param budget seconds for all of it; half of them, but no more than `longest_burn_in`, are the burn-in's
  WarmUp(double target, double budget);

  /// Takes note of a sample of `record.iterations` operations that lasted `seconds`, and sets `record.iterations` for
  /// the next one. @returns whether to go on warming up
  bool go_on(Record& record, double seconds);

 private:
  static constexpr double longest_burn_in = 10e-3;

  const double target_;
  const double budget_;
  std::vector<double> pace_;  ///< seconds per operation
  enum class Phase { growing, burning_in, settling } phase_ = Phase::growing;
};

}  // namespace raddle::bench
