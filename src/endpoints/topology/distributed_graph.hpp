// SPDX-License-Identifier: BSD-3-Clause
// A graph of which each rank knows its own edges (MPI-4.1 section 8.5.4). Knows no MPI.
#pragma once

#include <span>
#include <vector>

#include "endpoints/topology/neighbours.hpp"

namespace raddle::endpoints {

/// What one rank knows of it.
struct DistributedGraph {
  struct Edges {
    std::vector<int> ranks;
    std::vector<int> weights;  ///< of each; none if the graph has none
  };
  Edges in;
  Edges out;
  bool weighted = false;

  [[nodiscard]] Neighbours neighbours() const;
};

/// An edge that some rank has declared.
struct Edge {
  int from;
  int to;
  int weight;
};

/// Edges put up for those that have to know of them: first those for rank 0.
struct Parcels {
  std::vector<int> counts;  ///< for each rank
  std::vector<Edge> edges;
};
/// Each edge is for the ranks at its ends, among `size`; in the order of declaration.
[[nodiscard]] Parcels parcels_of(std::span<const Edge> declared, int size);

/// What a rank knows that has been told of these edges. Several from one rank to another come in the same order there
/// and here, if both have been told in the same order.
[[nodiscard]] DistributedGraph graph_of(int rank, std::span<const Edge> edges, bool weighted);

}  // namespace raddle::endpoints
