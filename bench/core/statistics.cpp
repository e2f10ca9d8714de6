// SPDX-License-Identifier: BSD-3-Clause
#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace raddle::bench {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::ranges::sort(copy);
  return copy;
}

}  // namespace

std::optional<Ranks> median_ranks(int n) {
  if (n < 6) return std::nullopt;
  if (n >= 30) {
    const double spread = 1.96 * std::sqrt(static_cast<double>(n));
    return Ranks{static_cast<int>(std::floor((n - spread) / 2)), static_cast<int>(std::ceil(1 + (n + spread) / 2))};
  }
  // The largest lo with P(X < lo) <= 2.5 % for X ~ Binomial(n, 1/2); hi mirrors it.
  double term = std::pow(0.5, n);
  double below = term;
  int lo = 1;
  for (int k = 1; k < n; ++k) {
    term *= static_cast<double>(n - k + 1) / k;
    if (below + term > 0.025) break;
    below += term;
    lo = k + 1;
  }
  return Ranks{lo, n + 1 - lo};
}

double median(std::span<const double> values) {
  const auto v = sorted(values);
  const std::size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double percentile(std::span<const double> values, double part) {
  const auto v = sorted(values);
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(v.size())));
  return v[std::clamp<std::size_t>(rank, 1, v.size()) - 1];
}

std::optional<double> relative_half_width(std::span<const double> values) {
  const auto ranks = median_ranks(static_cast<int>(values.size()));
  if (!ranks) return std::nullopt;
  const auto v = sorted(values);
  const double width = v[ranks->hi - 1] - v[ranks->lo - 1];
  const double m = median(values);
  if (width == 0) return 0;
  return m == 0 ? std::nullopt : std::optional(width / 2 / std::abs(m));
}

}  // namespace raddle::bench
