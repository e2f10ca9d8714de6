// SPDX-License-Identifier: BSD-3-Clause
// Who copies a group of partitions where sender and receiver reach each other's memory? Whoever comes second: the
// sender's thread that makes the last partition ready, if the receiver has started the round, or else the receiver when
// it does. Both look after they have left word, so one of them sees the other; if both do, a compare-and-swap decides.
// Knows no MPI.
#pragma once

#include <atomic>
#include <cstdint>

namespace raddle::partitioned {

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

}  // namespace raddle::partitioned
