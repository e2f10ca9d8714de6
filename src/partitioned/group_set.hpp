// SPDX-License-Identifier: BSD-3-Clause
// Groups that some threads put in and others take out, without a lock. Knows no MPI.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "partitioned/groups.hpp"

namespace raddle::partitioned {

/// The most groups of a request.
constexpr int most_groups = 256;

class GroupSet {
 public:
  using Word = std::uint64_t;
  static constexpr int word_bits = 64;
  static constexpr int words = most_groups / word_bits;

  /// What was done to the group before is visible to the one who takes it.
  void add(int group) { word(group).fetch_or(bit(group), std::memory_order_release); }

  /// Takes some that follow one another, at most so many: the first ones that are in, or the last ones.
  /// @returns none: an empty range
  Range take_run(bool first, int most) {
    for (int step = 0; step < words; ++step) {
      const int i = first ? step : words - 1 - step;
      while (const Word left = words_[static_cast<std::size_t>(i)].load(std::memory_order_relaxed)) {
        const Range chosen = first ? first_run(left, most) : last_run(left, most);
        const Word got =
            words_[static_cast<std::size_t>(i)].fetch_and(~mask(chosen), std::memory_order_acq_rel) & mask(chosen);
        if (got == 0) continue;  // others were quicker
        const Range run = first ? first_run(got, most) : last_run(got, most);
        if (const Word rest = got & ~mask(run); rest != 0)
          words_[static_cast<std::size_t>(i)].fetch_or(rest, std::memory_order_release);
        return {i * word_bits + run.first, i * word_bits + run.end};
      }
    }
    return {0, 0};
  }

  /// Takes all, and calls `visit` with each.
  template <typename Visit>
  void take_all(Visit&& visit) {
    for (int i = 0; i < words; ++i) {
      auto& from = words_[static_cast<std::size_t>(i)];
      if (from.load(std::memory_order_relaxed) == 0) continue;
      for (Word left = from.exchange(0, std::memory_order_acquire); left != 0; left &= left - 1)
        visit(i * word_bits + std::countr_zero(left));
    }
  }

 private:
  // Bits of a word, which has some.
  static Range first_run(Word bits, int most) {
    const int first = std::countr_zero(bits);
    return {first, first + std::min(most, std::countr_one(bits >> static_cast<unsigned>(first)))};
  }
  static Range last_run(Word bits, int most) {
    const int behind = std::countl_zero(bits);
    const int end = word_bits - behind;
    return {end - std::min(most, std::countl_one(bits << static_cast<unsigned>(behind))), end};
  }
  static Word mask(Range bits) {
    const int count = bits.end - bits.first;
    const Word ones = count == word_bits ? ~Word{0} : (Word{1} << static_cast<unsigned>(count)) - 1;
    return ones << static_cast<unsigned>(bits.first);
  }

  [[nodiscard]] std::atomic<Word>& word(int group) { return words_[static_cast<std::size_t>(group / word_bits)]; }
  [[nodiscard]] static Word bit(int group) { return Word{1} << static_cast<unsigned>(group % word_bits); }

  std::array<std::atomic<Word>, words> words_{};
};

}  // namespace raddle::partitioned
