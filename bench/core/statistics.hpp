// SPDX-License-Identifier: BSD-3-Clause
// The little statistics a launch needs to know when to stop; all judging is done by the `raddle` command.
#pragma once

#include <optional>
#include <span>

namespace raddle::bench {

/// Ranks (1-based) of the order-statistic 95 % interval of a median of `n` values; none for n < 6.
/// Exact binomial below n = 30, normal approximation from there on (Hoefler & Belli, SC'15; docs/use/results.md).
struct Ranks {
  int lo;
  int hi;
};
std::optional<Ranks> median_ranks(int n);

/// Median of the values (mean of the middle two when their number is even). @pre not empty
double median(std::span<const double> values);

/// The smallest value that is no less than the fraction `part` of all values. @pre not empty
double percentile(std::span<const double> values, double part);

/// Half the width of the median's interval as a fraction of the median; none if there are too few values.
std::optional<double> relative_half_width(std::span<const double> values);

}  // namespace raddle::bench
