// SPDX-License-Identifier: BSD-3-Clause
// Which ranks of a communicator share a node.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace raddle::sparse {

class Node {
 public:
  /// Collective over `comm`.
  explicit Node(MPI_Comm comm);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  /// That of this rank's.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  /// Whether those that exchange here are more than the CPUs that they may use.
  /// @param threads  those of this process; each other one is taken to have as many
  [[nodiscard]] bool crowded(int threads) const { return std::max(size_, size_ / of_process_ * threads) > cpus_; }

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

  MPI_Comm comm_ = MPI_COMM_NULL;
  int own_ = 0;
  int rank_ = 0;
  int size_ = 1;
  int nodes_ = 1;
  int of_process_ = 1;  ///< those of its ranks that are this process's
  int cpus_ = 0;
  std::vector<int> node_of_;             ///< by rank
  std::vector<int> place_;               ///< by rank: its rank in its node
  std::vector<std::vector<int>> ranks_;  ///< by node
};

}  // namespace raddle::sparse
