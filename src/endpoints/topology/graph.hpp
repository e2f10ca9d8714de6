// SPDX-License-Identifier: BSD-3-Clause
// A graph that all ranks know as a whole (MPI-4.1 section 8.5.3). Knows no MPI.
#pragma once

#include <span>
#include <vector>

#include "endpoints/topology/neighbours.hpp"

namespace raddle::endpoints {

class Graph {
 public:
  /// @param ends   of each rank: how many edges it and those before it have
  /// @param edges  where they lead, those of rank 0 first
  Graph(std::vector<int> ends, std::vector<int> edges);

  [[nodiscard]] int size() const { return static_cast<int>(ends_.size()); }
  [[nodiscard]] const std::vector<int>& ends() const { return ends_; }
  [[nodiscard]] const std::vector<int>& edges() const { return edges_; }
  /// Where the edges of a rank lead.
  [[nodiscard]] std::span<const int> edges_of(int rank) const;
  [[nodiscard]] Neighbours neighbours_of(int rank) const;

 private:
  std::vector<int> ends_;
  std::vector<int> edges_;
};

/// Whether this is a graph of so many ranks. @param edges  as many as the last of `ends` says, if it says how many
[[nodiscard]] bool is_graph(std::span<const int> ends, const int* edges);

}  // namespace raddle::endpoints
