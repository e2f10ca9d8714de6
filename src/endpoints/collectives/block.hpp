// SPDX-License-Identifier: BSD-3-Clause
// What one process sends another one of a collective, in one piece: in front how long its pieces are, so that who
// receives finds them, and notices it, where they are longer or shorter than it has room for. Knows no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace raddle::endpoints::collectives {

/// The lengths of a block's pieces: one number if all are alike, else one more for each.
class Lengths {
 public:
  void add(std::size_t bytes) { all_.push_back(bytes); }
  [[nodiscard]] std::size_t header() const { return sizeof(std::uint64_t) * (alike() ? 1 : 1 + all_.size()); }
  /// Of the whole block.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = header();
    for (const std::uint64_t one : all_) sum += one;
    return sum;
  }
  void write(std::vector<std::byte>& to) const {
    const std::uint64_t first = alike() ? (all_.empty() ? 0 : all_.front()) : various;
    append(to, &first, 1);
    if (!alike()) append(to, all_.data(), all_.size());
  }

  struct Place {
    std::size_t begin;  ///< in the block
    std::size_t bytes;
  };
  /// Where a piece lies in what has come. @param block as much of it as there was room for
  [[nodiscard]] static Place find(std::span<const std::byte> block, std::size_t piece, std::size_t pieces) {
    const std::uint64_t first = number(block, 0);
    if (first != various) return {sizeof first + piece * first, first};
    std::size_t begin = sizeof first * (1 + pieces);
    for (std::size_t i = 0; i < piece; ++i) begin += number(block, 1 + i);
    return {begin, number(block, 1 + piece)};
  }

 private:
  static constexpr std::uint64_t various = ~std::uint64_t{0};

  [[nodiscard]] bool alike() const {
    return std::ranges::all_of(all_, [&](std::uint64_t one) { return one == all_.front(); });
  }
  static void append(std::vector<std::byte>& to, const std::uint64_t* numbers, std::size_t count) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(numbers);
    to.insert(to.end(), bytes, bytes + count * sizeof *numbers);
  }
  [[nodiscard]] static std::uint64_t number(std::span<const std::byte> block, std::size_t at) {
    std::uint64_t value = 0;
    if ((at + 1) * sizeof value <= block.size()) std::memcpy(&value, block.data() + at * sizeof value, sizeof value);
    return value;
  }

  std::vector<std::uint64_t> all_;
};

}  // namespace raddle::endpoints::collectives
