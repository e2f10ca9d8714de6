// SPDX-License-Identifier: BSD-3-Clause
// What all ranks must give alike to one collective, in a word: each leaves its own in its seat (meeting.hpp), and who
// takes something of another one compares both words. Knows no MPI.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::endpoints::collectives {

struct Call {
  enum class Kind : std::uint8_t {
    none,
    barrier,
    bcast,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce,
    allreduce,
    reduce_scatter,
    scan,
    exscan
  };

  Kind kind = Kind::none;
  unsigned op = 0;      ///< operators.hpp: operator_number(); 0: there is none
  int root = 0;         ///< 0 if there is none
  bool rounds = false;  ///< takes a number for each of several rounds, as many as follow from `bytes`
  bool apart = false;   ///< ranks share memory, but it goes by processes
  /// That all bring, or take; of those that move pieces each rank compares what comes with its room instead: 0. In
  /// rounds, what tells how many there are.
  std::uint64_t bytes = 0;

  [[nodiscard]] constexpr std::uint64_t word() const {
    return static_cast<std::uint64_t>(kind) | std::uint64_t{op & 15U} << 4U |
           (static_cast<std::uint64_t>(root) & root_mask) << 8U | std::uint64_t{rounds} << 22U |
           std::uint64_t{apart} << 23U | bytes << 24U;
  }
  [[nodiscard]] static constexpr Call of(std::uint64_t word) {
    return {static_cast<Kind>(word & 15U),
            static_cast<unsigned>(word >> 4U & 15U),
            static_cast<int>(word >> 8U & root_mask),
            (word >> 22U & 1U) != 0,
            (word >> 23U & 1U) != 0,
            word >> 24U};
  }

 private:
  static constexpr std::uint64_t root_mask = (std::uint64_t{1} << 14U) - 1;
};

/// What is between two calls that do not match.
enum class Unlike : std::uint8_t { call, root, op, more_here, less_here };
[[nodiscard]] Unlike difference(const Call& mine, const Call& other);

/// Of a broadcast each rank compares what comes with its room: lengths may differ where processes exchange it.
[[nodiscard]] bool alike_but_length(std::uint64_t word, std::uint64_t other);

/// Whether both take the same numbers: the ranks stay in step.
[[nodiscard]] bool in_step(const Call& mine, const Call& other);

/// Both, for the user.
[[nodiscard]] std::string unlike_calls(int rank, const Call& mine, int other_rank, const Call& other);

}  // namespace raddle::endpoints::collectives
