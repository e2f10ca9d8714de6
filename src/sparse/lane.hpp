// SPDX-License-Identifier: BSD-3-Clause
// A communicator of Raddle's own on which exchanges follow each other, and what algorithms keep for it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "sparse/algorithm.hpp"
#include "sparse/board.hpp"
#include "sparse/message.hpp"
#include "sparse/node.hpp"

namespace raddle::sparse {

class Lane {
 public:
  /// Collective over `comm`, of which it makes a duplicate. @param threads  whether ranks may be threads of one process
  Lane(MPI_Comm comm, bool threads);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  /// Collective.
  ~Lane();

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Collective over the communicator given here, on which nothing else may be under way: makes what an algorithm
  /// needs, once. @returns whether it can be had here, which is the same for all
  bool prepare(SparseAlgorithm algorithm, MPI_Comm comm);
  [[nodiscard]] bool is_prepared(SparseAlgorithm algorithm) const {
    const Preparation* const known = preparation(algorithm);
    return known != nullptr && known->possible;
  }
  [[nodiscard]] Node& node(MPI_Comm comm);

  /// Whether nothing has to travel: there is one rank, or all are threads of one process.
  [[nodiscard]] bool alone() const {
    return size_ == 1 || (board_ && board_->members() == static_cast<std::size_t>(size_));
  }

  /// An exchange begins. @param blocks  whether the calls of the MPI may wait for other ranks: the same for all
  /// @param messages  whose bytes stay where they are until it is over; those for this rank are
  ///   handed over at once. @pre is_prepared(algorithm)
  [[nodiscard]] std::unique_ptr<Way> begin(SparseAlgorithm algorithm, int radix, bool blocks,
                                           std::span<const Message> messages, Sink& sink);
  /// That of the next one.
  [[nodiscard]] Round next_round() const { return {comm_, rank_, size_, static_cast<int>(rounds_ % 2)}; }

  // Exchanges that do not wait take turns.
  [[nodiscard]] std::uint64_t take_ticket() { return tickets_++; }
  [[nodiscard]] bool is_turn_of(std::uint64_t ticket) const { return ticket == served_; }
  void served() { ++served_; }

  /// Whether any ranks are threads of one process: the same for all.
  [[nodiscard]] bool has_threads() const { return threads_; }

  /// How many bytes to expect, from what came last.
  [[nodiscard]] std::size_t guess() const { return guess_.load(std::memory_order_relaxed); }
  void learn(std::size_t bytes) { guess_.store(bytes + bytes / 2, std::memory_order_relaxed); }

 private:
  void look_for_threads();
  /// nullptr: it has not been prepared.
  [[nodiscard]] const Preparation* preparation(SparseAlgorithm algorithm) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::uint64_t rounds_ = 0;
  std::uint64_t tickets_ = 0;
  std::uint64_t served_ = 0;
  std::atomic<std::size_t> guess_{0};  ///< several exchanges may be under way, each with a thread of its own
  std::unique_ptr<Node> node_;
  bool threads_ = false;
  std::shared_ptr<Board> board_;
  mutable std::mutex guard_;  ///< of what follows: an exchange may begin while another algorithm is prepared
  std::map<SparseAlgorithm, Preparation> prepared_;
};

}  // namespace raddle::sparse
