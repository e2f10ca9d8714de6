// SPDX-License-Identifier: BSD-3-Clause
// How partitions are grouped to messages: so many that follow one another make one, and the last group may be shorter.
// Knows no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

}  // namespace raddle::partitioned
