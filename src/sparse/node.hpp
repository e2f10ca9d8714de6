// SPDX-License-Identifier: BSD-3-Clause
// Which ranks of a communicator share a node.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "node/node_comm.hpp"
#include "sparse/board.hpp"

namespace raddle::sparse {

class Node {
 public:
  /// Collective over `comm`.
  explicit Node(MPI_Comm comm);

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

}  // namespace raddle::sparse
