// SPDX-License-Identifier: BSD-3-Clause
// How partitions are grouped to messages: so many that follow one another make one, and the last group may be shorter.
// Knows no MPI.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace raddle::partitioned {

/// Integers from first up to, not including, end.
struct Range {
  int first;
  int end;
};

class Groups {
 public:
  Groups() = default;

  /// @param partitions  >= 0 @param per_group  >= 1
  Groups(int partitions, int per_group)
      : partitions_(partitions),
        per_group_(per_group),
        count_(partitions == 0 ? 0 : (partitions - 1) / per_group + 1),
        inverse_(~std::uint64_t{0} / static_cast<std::uint64_t>(per_group) + 1) {}

  [[nodiscard]] int partitions() const { return partitions_; }
  [[nodiscard]] int per_group() const { return per_group_; }
  [[nodiscard]] int count() const { return count_; }

  /// The group of a partition, without a division: for numbers of 32 bits the upper half of the product with
  /// ceil(2^64 / per_group) is the quotient. That does not fit where per_group is 1, and has become 0.
  [[nodiscard]] int of(int partition) const {
    __extension__ typedef unsigned __int128 Wide;
    if (inverse_ == 0) return partition;
    return static_cast<int>((static_cast<Wide>(inverse_) * static_cast<std::uint32_t>(partition)) >> 64U);
  }

  [[nodiscard]] Range partitions_of(int group) const {
    const int first = group * per_group_;
    return {first, first + size(group)};
  }
  [[nodiscard]] int size(int group) const { return std::min(per_group_, partitions_ - group * per_group_); }

 private:
  int partitions_ = 0;
  int per_group_ = 1;
  int count_ = 0;
  std::uint64_t inverse_ = 0;
};

/// The groups in which the bytes lie of one partition of the receiver, who divides the same bytes otherwise. Where
/// there are no bytes at all, or the sender has less than that, those are all.
/// @param group_bytes  of each but the last group @param partition_bytes  of each partition of the receiver
inline Range groups_under(int partition, std::size_t partition_bytes, std::size_t group_bytes, int groups) {
  if (partition_bytes == 0 || group_bytes == 0) return {0, groups};
  const std::size_t begin = static_cast<std::size_t>(partition) * partition_bytes;
  const std::size_t first = begin / group_bytes;
  const std::size_t last = (begin + partition_bytes - 1) / group_bytes;
  const auto limit = static_cast<std::size_t>(groups);
  if (first >= limit) return {0, groups};
  return {static_cast<int>(first), static_cast<int>(std::min(last + 1, limit))};
}

// Groups that some threads put in and others take out, without a lock. Knows no MPI.

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

// Who makes the last partition of a group ready? One counter for each group, on a cache line of its own, which only
// grows: there is nothing to reset between rounds. Knows no MPI.

/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicReadyCounters {
 public:
  explicit BasicReadyCounters(const Groups& groups)
      : groups_(groups), counters_(static_cast<std::size_t>(groups.count())) {}

  [[nodiscard]] const Groups& groups() const { return groups_; }

  /// Before the first call of arrive() in a round; one thread, which the others know to have been here.
  void next_round() { round_.store(round_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  /// A partition of `group` is ready; any threads at once, once for each partition in a round. When this has returned
  /// false the round may be over, and all of this gone.
  /// @returns whether it is the group's last one: what all others did before is visible then
  [[nodiscard]] bool arrive(int group) {
    // Counters and targets wrap alike.
    const std::uint32_t target =
        round_.load(std::memory_order_relaxed) * static_cast<std::uint32_t>(groups_.size(group));
    return counters_[static_cast<std::size_t>(group)].value.fetch_add(1, std::memory_order_acq_rel) + 1 == target;
  }

 private:
  struct alignas(64) Counter {
    Atomic<std::uint32_t> value{0};
  };

  Groups groups_;
  Atomic<std::uint32_t> round_{0};
  std::vector<Counter> counters_;
};

using ReadyCounters = BasicReadyCounters<>;

}  // namespace raddle::partitioned
