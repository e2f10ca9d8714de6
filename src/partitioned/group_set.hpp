// SPDX-License-Identifier: BSD-3-Clause
// Groups that some threads put in and others take out, without a lock. Knows no MPI.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

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

  /// @returns whether it was in
  bool take(int group) { return (word(group).fetch_and(~bit(group), std::memory_order_acq_rel) & bit(group)) != 0; }

  /// @returns the first one that it takes, or the last one; none: -1
  int take_first() { return take_one(0, 1, [](Word word) { return std::countr_zero(word); }); }
  int take_last() {
    return take_one(words - 1, -1, [](Word word) { return word_bits - 1 - std::countl_zero(word); });
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
  template <typename Choose>
  int take_one(int begin, int step, Choose&& choose) {
    for (int i = begin; i >= 0 && i < words; i += step) {
      while (const Word left = words_[static_cast<std::size_t>(i)].load(std::memory_order_relaxed)) {
        const int group = i * word_bits + choose(left);
        if (take(group)) return group;
      }
    }
    return -1;
  }

  [[nodiscard]] std::atomic<Word>& word(int group) { return words_[static_cast<std::size_t>(group / word_bits)]; }
  [[nodiscard]] static Word bit(int group) { return Word{1} << static_cast<unsigned>(group % word_bits); }

  std::array<std::atomic<Word>, words> words_{};
};

}  // namespace raddle::partitioned
