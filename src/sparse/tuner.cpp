// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/tuner.hpp"

#include <algorithm>
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
    rest();
  }
}

void Tuner::agree() {
  if (phase_ == Phase::looking) {
    std::vector<std::pair<double, SparseAlgorithm>> shortest;
    for (std::size_t i = 0; i < trials_.size() / looks; ++i)  // each candidate once
      shortest.emplace_back(std::ranges::min(times_of(trials_[i])), trials_[i]);
    const double limit = hopeless * std::ranges::min(shortest).first;
    near_.clear();
    for (const auto& [time, candidate] : shortest) {
      if (time <= limit) near_.push_back(candidate);
    }
    plan(near_, contests, Phase::contest);
    return;
  }
  double best = 0;
  for (std::size_t i = 0; i < trials_.size() / contests; ++i) {  // each candidate once
    std::vector<double> times = times_of(trials_[i]);
    std::ranges::nth_element(times, times.begin() + contests / 2);
    if (i > 0 && times[contests / 2] >= best) continue;
    best = times[contests / 2];
    settled_ = trials_[i];
  }
  rest();
}

void Tuner::rest() {
  phase_ = Phase::resting;
  left_ = period_;
  period_ = std::min(2 * period_, longest_rest);
}

void Tuner::plan(const std::vector<SparseAlgorithm>& candidates, int each, Phase phase) {
  phase_ = phase;
  next_ = 0;
  trials_.clear();
  // Interleaved, so that what changes meanwhile concerns all of them.
  for (int i = 0; i < each; ++i) trials_.insert(trials_.end(), candidates.begin(), candidates.end());
  times_.assign(trials_.size(), 0);
}

std::vector<double> Tuner::times_of(SparseAlgorithm candidate) const {
  std::vector<double> times;
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trials_[i] == candidate) times.push_back(times_[i]);
  }
  return times;
}

}  // namespace raddle::sparse
