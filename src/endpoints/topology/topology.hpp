// SPDX-License-Identifier: BSD-3-Clause
// The topology of a communicator, as one of its ranks knows it (MPI-4.1 chapter 8). Never changed; shared by
// duplicates. Knows no MPI.
#pragma once

#include <utility>
#include <variant>

#include "endpoints/topology/distributed_graph.hpp"
#include "endpoints/topology/graph.hpp"
#include "endpoints/topology/grid.hpp"
#include "endpoints/topology/neighbours.hpp"

namespace raddle::endpoints {

class Topology {
 public:
  Topology(Grid grid, int rank) : neighbours_(grid.neighbours_of(rank)), what_(std::move(grid)) {}
  Topology(Graph graph, int rank) : neighbours_(graph.neighbours_of(rank)), what_(std::move(graph)) {}
  explicit Topology(DistributedGraph graph) : neighbours_(graph.neighbours()), what_(std::move(graph)) {}

  /// nullptr: it is something else. @tparam Kind  Grid, Graph or DistributedGraph
  template <typename Kind>
  [[nodiscard]] const Kind* as() const {
    return std::get_if<Kind>(&what_);
  }
  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }

 private:
  Neighbours neighbours_;
  std::variant<Grid, Graph, DistributedGraph> what_;
};

}  // namespace raddle::endpoints
