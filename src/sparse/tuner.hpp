// SPDX-License-Identifier: BSD-3-Clause
// The automatic choice of an algorithm. A rule for the first exchanges; then the program's own exchanges are made by
// each candidate in turn, all ranks add up what they took, and the best one is kept, until it is time to try again.
// All ranks see the same numbers, so they choose the same. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "platform/sparse_algorithm.hpp"

namespace raddle::sparse {

using platform::SparseAlgorithm;

class Tuner {
 public:
  /// @param candidates  the first one is the rule's
  explicit Tuner(std::vector<SparseAlgorithm> candidates);

  /// For the next exchange, which follows took().
  [[nodiscard]] SparseAlgorithm choose() const;
  /// The last exchange took so long on this rank.
  void took(double seconds);

  /// Whether, before the next exchange, times() must be added up over all ranks and be given to agree().
  [[nodiscard]] bool must_agree() const { return phase_ != Phase::resting && next_ == trials_.size(); }
  [[nodiscard]] std::span<double> times() { return times_; }
  void agree();

  [[nodiscard]] std::span<const SparseAlgorithm> candidates() const { return candidates_; }
  /// The one that is kept.
  [[nodiscard]] SparseAlgorithm settled() const { return settled_; }

  static constexpr int first_rest = 4;    ///< exchanges by the rule: programs that make few try nothing
  static constexpr int second_rest = 64;  ///< then it doubles
  static constexpr int longest_rest = 1024;
  static constexpr double share = 0.03;  ///< of the time may be lost by trials: a rest is as long as that takes
  static constexpr int looks = 2;        ///< of each candidate; the shortest counts
  static constexpr int contests = 5;     ///< of those not much longer than the shortest; the median counts
  static constexpr int repeats = 2;      ///< exchanges of each of these: the last one follows none of another candidate
  static constexpr double hopeless = 2;  ///< times the shortest
  static constexpr int wide = 4;         ///< one of so many tries is of all candidates, the others of the contest's

 private:
  enum class Phase : std::uint8_t { resting, looking, contest };

  void rest(double lost);
  void look();
  void plan(const std::vector<SparseAlgorithm>& candidates, int each, Phase phase);
  /// Those that are being tried.
  [[nodiscard]] std::vector<SparseAlgorithm> tried() const;
  [[nodiscard]] std::vector<double> times_of(SparseAlgorithm candidate) const;

  std::vector<SparseAlgorithm> candidates_;
  std::vector<SparseAlgorithm> near_;  ///< of the last contest
  int tries_ = 0;
  SparseAlgorithm settled_;
  Phase phase_ = Phase::resting;
  int left_ = first_rest;
  int period_ = second_rest;
  std::vector<SparseAlgorithm> trials_;
  std::vector<double> times_;  ///< of the trials
  std::size_t next_ = 0;
  double spent_ = 0;  ///< by trials since the last rest, as times_
  int made_ = 0;      ///< trials since then
};

}  // namespace raddle::sparse
