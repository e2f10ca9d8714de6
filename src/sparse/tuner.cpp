// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/tuner.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace raddle::sparse {

Tuner::Tuner(std::vector<SparseAlgorithm> candidates)
    : candidates_(std::move(candidates)), settled_(candidates_.front()) {}

SparseAlgorithm Tuner::choose() const { return phase_ == Phase::resting ? settled_ : trials_[next_]; }

void Tuner::took(double seconds) {
  if (phase_ != Phase::resting) {
    times_[next_++] = seconds;
    return;
  }
  if (candidates_.size() > 1 && --left_ == 0) look();
}

void Tuner::look() {
  if (tries_++ % wide == 0) {
    plan(candidates_, looks, Phase::looking);
  } else if (near_.size() > 1) {
    plan(near_, looks, Phase::looking);
  } else {
    rest(0);
  }
}

void Tuner::agree() {
  spent_ += std::reduce(times_.begin(), times_.end());
  made_ += static_cast<int>(times_.size());
  if (phase_ == Phase::looking) {
    std::vector<std::pair<double, SparseAlgorithm>> shortest;
    for (const SparseAlgorithm candidate : tried())
      shortest.emplace_back(std::ranges::min(times_of(candidate)), candidate);
    const double limit = hopeless * std::ranges::min(shortest).first;
    near_.clear();
    for (const auto& [time, candidate] : shortest) {
      if (time <= limit) near_.push_back(candidate);
    }
    plan(near_, contests, Phase::contest);
    return;
  }
  double best = std::numeric_limits<double>::infinity();
  for (const SparseAlgorithm candidate : tried()) {
    std::vector<double> times = times_of(candidate);
    std::ranges::nth_element(times, times.begin() + contests / 2);
    if (times[contests / 2] >= best) continue;
    best = times[contests / 2];
    settled_ = candidate;
  }
  // In exchanges by the best one.
  const double lost = best > 0 ? std::exchange(spent_, 0) / best - std::exchange(made_, 0) : 0;
  rest(lost);
}

void Tuner::rest(double lost) {
  constexpr double many = 1 << 24;
  phase_ = Phase::resting;
  left_ = std::max(period_, static_cast<int>(std::min(lost / share, many)));
  period_ = std::min(2 * period_, longest_rest);
}

void Tuner::plan(const std::vector<SparseAlgorithm>& candidates, int each, Phase phase) {
  phase_ = phase;
  next_ = 0;
  trials_.clear();
  // Interleaved, so that what changes meanwhile concerns all of them.
  for (int i = 0; i < each; ++i) {
    for (const SparseAlgorithm candidate : candidates) trials_.insert(trials_.end(), repeats, candidate);
  }
  times_.assign(trials_.size(), 0);
}

std::vector<SparseAlgorithm> Tuner::tried() const {
  std::vector<SparseAlgorithm> tried;
  for (const SparseAlgorithm candidate : trials_) {
    if (std::ranges::find(tried, candidate) == tried.end()) tried.push_back(candidate);
  }
  return tried;
}

std::vector<double> Tuner::times_of(SparseAlgorithm candidate) const {
  std::vector<double> times;
  for (std::size_t i = repeats - 1; i < trials_.size(); i += repeats) {
    if (trials_[i] == candidate) times.push_back(times_[i]);
  }
  return times;
}

}  // namespace raddle::sparse
