// SPDX-License-Identifier: BSD-3-Clause
// What sender and receiver share where partitions go straight into the receiver's buffer. Lies in the memory of a
// process, or in memory that two of them share. Knows no MPI.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "partitioned/groups.hpp"

namespace raddle::partitioned {

// Who copies a group of partitions where sender and receiver reach each other's memory? Whoever comes second: the
// sender's thread that makes the last partition ready, if the receiver has started the round, or else the receiver when
// it does. Both look after they have left word, so one of them sees the other; if both do, a compare-and-swap decides.
// Knows no MPI.

/// How far a group is: counted in rounds, from 1 on, so that there is nothing to reset.
/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class alignas(64) BasicGroupState {
 public:
  /// The sender: all its partitions are ready in `round`.
  void set_ready(std::uint64_t round) { state_.store(word(round, ready), std::memory_order_seq_cst); }

  /// Either side. @returns whether it is ready in `round`, and the caller is the one who copies it
  [[nodiscard]] bool claim(std::uint64_t round) {
    std::uint64_t expected = word(round, ready);
    return state_.load(std::memory_order_seq_cst) == expected &&
           state_.compare_exchange_strong(expected, word(round, copying), std::memory_order_seq_cst);
  }

  /// Who has claimed it: the bytes are in the receiver's memory.
  void set_arrived(std::uint64_t round) { state_.store(word(round, arrived), std::memory_order_release); }

  /// What is in the receiver's memory is visible then.
  [[nodiscard]] bool has_arrived(std::uint64_t round) const {
    return state_.load(std::memory_order_acquire) >= word(round, arrived);
  }

 private:
  enum Phase : std::uint64_t { ready, copying, arrived };
  static constexpr std::uint64_t word(std::uint64_t round, Phase phase) { return 4 * round + phase; }

  Atomic<std::uint64_t> state_{0};
};

using GroupState = BasicGroupState<>;

/// The receiver's side of the question: up to which round it takes groups.
template <template <typename> class Atomic = std::atomic>
class BasicOpenRound {
 public:
  void open(std::uint64_t round) { round_.store(round, std::memory_order_seq_cst); }
  [[nodiscard]] bool is_open(std::uint64_t round) const { return round_.load(std::memory_order_seq_cst) >= round; }

 private:
  Atomic<std::uint64_t> round_{0};
};

using OpenRound = BasicOpenRound<>;

struct Block {
  /// One side's memory. Written before it is `there`.
  struct Side {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    pid_t process = 0;
    std::atomic<bool> there{false};
  };

  Side sender;
  std::uint64_t group_bytes = 0;  ///< of each but the last; with the sender
  std::int32_t groups = 0;        ///< with the sender
  Side receiver;

  alignas(64) OpenRound open;
  alignas(64) std::atomic<std::uint64_t> arrived{0};  ///< groups, in all rounds
  std::atomic<bool> failed{false};                    ///< the system has not let one copy
  alignas(64) std::atomic<std::uint32_t> looks{0};    ///< of the receiver for groups to copy
  std::atomic<bool> copies{false};                    ///< the receiver is about it
  alignas(64) GroupSet offered;                       ///< that the sender has left to whoever has time
  std::array<GroupState, most_groups> states;
};

}  // namespace raddle::partitioned
