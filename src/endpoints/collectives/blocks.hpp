// SPDX-License-Identifier: BSD-3-Clause
// How the bytes that a process has for each other process, or gets from it, are exchanged. A collective of the MPI
// takes counts and displacements as `int`, so what is longer goes in messages beside it. Both sides know how long it
// is, and so which way it goes; every process calls the collective.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace raddle::endpoints::collectives {

// What one process sends another one of a collective, in one piece: in front how long its pieces are, so that who
// receives finds them, and notices it, where they are longer or shorter than it has room for. Knows no MPI.

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

  struct ByteRange {
    std::size_t begin;  ///< in the block
    std::size_t bytes;
  };
  /// Where a piece lies in what has come. @param block as much of it as there was room for
  [[nodiscard]] static ByteRange find(std::span<const std::byte> block, std::size_t piece, std::size_t pieces) {
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

class Blocks {
 public:
  /// Long enough to be no worse in messages of its own.
  static constexpr std::size_t most_in_collective = std::size_t{16} << 20U;

  /// @param bytes    by process
  /// @param numbers  where counts and displacements for the collective are kept: two for each process
  Blocks(const std::vector<std::size_t>& bytes, std::span<int> numbers) : numbers_(numbers) {
    std::ranges::fill(numbers_, 0);
    std::size_t begin = 0;
    for (const bool beside : {false, true}) {
      for (std::size_t process = 0; process < bytes.size(); ++process) {
        if (goes_beside(bytes[process], bytes.size()) != beside) continue;
        order_.push_back(static_cast<int>(process));
        if (beside) {
          beside_.push_back({static_cast<int>(process), begin, bytes[process]});
        } else {
          counts()[process] = static_cast<int>(bytes[process]);
          displacements()[process] = static_cast<int>(begin);
        }
        begin += bytes[process];
      }
    }
  }

  /// The processes as their blocks lie one behind the other.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] int* counts() const { return numbers_.data(); }
  [[nodiscard]] int* displacements() const { return numbers_.data() + numbers_.size() / 2; }

  /// Calls `start(place, bytes, process)` for each message beside the collective; all of a process's in their order.
  /// @returns the first MPI error code
  template <typename Start>
  int start_beside(std::byte* all, Start&& start) const {
    for (const Block& block : beside_) {
      for (std::size_t at = 0; at < block.bytes; at += most_in_message) {
        const auto now = static_cast<int>(std::min(most_in_message, block.bytes - at));
        if (const int code = start(all + block.begin + at, now, block.process); code != MPI_SUCCESS) return code;
      }
    }
    return MPI_SUCCESS;
  }

 private:
  static constexpr std::size_t most_in_message = std::size_t{1} << 30U;

  struct Block {
    int process;
    std::size_t begin;
    std::size_t bytes;
  };

  /// All that does not fits into an `int` together.
  static bool goes_beside(std::size_t bytes, std::size_t processes) {
    return bytes > std::min(most_in_collective, static_cast<std::size_t>(INT_MAX) / processes);
  }

  std::span<int> numbers_;
  std::vector<int> order_;
  std::vector<Block> beside_;
};

}  // namespace raddle::endpoints::collectives
