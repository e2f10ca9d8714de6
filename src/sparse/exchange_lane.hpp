// SPDX-License-Identifier: BSD-3-Clause
// A communicator of Raddle's own on which exchanges follow each other, and what algorithms keep for it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "node/node_comm.hpp"
#include "sparse/algorithm.hpp"
#include "sparse/board.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

// Which ranks of a communicator share a node.

class NodeMap {
 public:
  /// Collective over `comm`.
  explicit NodeMap(MPI_Comm comm);

  /// That of this rank's.
  [[nodiscard]] const node::NodeComm& here() const { return here_; }
  [[nodiscard]] MPI_Comm comm() const { return here_.comm(); }
  [[nodiscard]] int rank() const { return here_.rank(); }
  [[nodiscard]] int size() const { return here_.size(); }
  /// Whether those that exchange here are more than the CPUs that they may use.
  /// @param threads  those of this process; each other one is taken to have as many
  [[nodiscard]] bool crowded(int threads) const { return std::max(size(), size() / of_process_ * threads) > cpus_; }

  [[nodiscard]] int nodes() const { return nodes_; }

  /// Collective over the communicator given before: who is where, which takes O(P) memory with several nodes. To be
  /// called before what follows.
  void learn_all(MPI_Comm comm);
  /// Whether a rank of the whole communicator is here.
  [[nodiscard]] bool is_here(int rank) const { return nodes_ == 1 || node_of(rank) == node_of(own_); }
  /// Its rank here. @pre is_here(rank)
  [[nodiscard]] int rank_here(int rank) const { return nodes_ == 1 ? rank : place(rank); }
  /// The rank of the whole communicator that takes what this rank has for the node of that one: each of this node has
  /// another there, as far as they suffice.
  [[nodiscard]] int partner_at(int rank) const;

 private:
  /// Every process passes for a node: of this rank's, its ranks.
  void keep_own_process();
  [[nodiscard]] int node_of(int rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int place(int rank) const { return place_[static_cast<std::size_t>(rank)]; }

  node::NodeComm here_;
  int own_ = 0;
  int nodes_ = 1;
  int of_process_ = 1;  ///< those of its ranks that are this process's
  int cpus_ = 0;
  std::vector<int> node_of_;             ///< by rank
  std::vector<int> place_;               ///< by rank: its rank in its node
  std::vector<std::vector<int>> ranks_;  ///< by node
};

/// Collective over the ranks of a node: the board of those that are threads of this rank's process, if there is
/// another.
/// @param rank  this one's in the whole communicator
[[nodiscard]] std::shared_ptr<Board> board_of_process(const node::NodeComm& here, int rank);

class ExchangeLane {
 public:
  /// Collective over `comm`, of which it makes a duplicate. @param threads  whether ranks may be threads of one process
  ExchangeLane(MPI_Comm comm, bool threads);
  ExchangeLane(const ExchangeLane&) = delete;
  ExchangeLane& operator=(const ExchangeLane&) = delete;
  /// Collective.
  ~ExchangeLane();

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
  [[nodiscard]] NodeMap& node_map(MPI_Comm comm);

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
  std::unique_ptr<NodeMap> node_map_;
  bool threads_ = false;
  std::shared_ptr<Board> board_;
  mutable std::mutex guard_;  ///< of what follows: an exchange may begin while another algorithm is prepared
  std::map<SparseAlgorithm, Preparation> prepared_;
};

}  // namespace raddle::sparse
