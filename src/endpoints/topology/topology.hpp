// SPDX-License-Identifier: BSD-3-Clause
// The topology of a communicator, as one of its ranks knows it (MPI-4.1 chapter 8). Never changed; shared by
// duplicates. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace raddle::endpoints {

// With whom a rank exchanges data in a neighbourhood collective (MPI-4.1 section 8.6). Knows no MPI.

constexpr int nobody = -1;

struct Neighbours {
  // In the order of the pieces in the program's buffers; the same rank may be there more than once, and nobody.
  std::vector<int> sources;
  std::vector<int> destinations;
  /// The places in `sources`, in an order in which messages come: each rank sends in the order of its destinations.
  std::vector<int> turns;
};

// Ranks in a Cartesian grid (MPI-4.1 section 8.5): in row-major order, as MPI numbers them. Knows no MPI.

class Grid {
 public:
  struct Dimension {
    int length;  ///< at least 1
    bool periodic;
  };
  /// No dimensions: one rank. @pre ranks_in() of their lengths is a rank's number
  explicit Grid(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {}

  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return dimensions_; }
  [[nodiscard]] int size() const;

  [[nodiscard]] std::vector<int> coordinates_of(int rank) const;
  /// @returns nobody for coordinates outside of a dimension that is not periodic
  [[nodiscard]] int rank_of(std::span<const int> coordinates) const;
  /// The rank so many steps along a dimension, or nobody.
  [[nodiscard]] int moved(int rank, std::size_t dimension, std::int64_t steps) const;
  /// One step down and one up in each dimension.
  [[nodiscard]] Neighbours neighbours_of(int rank) const;

  /// Parts that keep some of the dimensions.
  [[nodiscard]] Grid part(std::span<const bool> kept) const;
  struct RankInPart {
    int part;  ///< which one
    int rank;  ///< in it
  };
  [[nodiscard]] RankInPart rank_in_part(int rank, std::span<const bool> kept) const;

 private:
  std::vector<Dimension> dimensions_;
};

/// The number of ranks in a grid, which may be too large for one. @pre all lengths are at least 1
[[nodiscard]] std::int64_t ranks_in(std::span<const int> lengths);

// A graph that all ranks know as a whole (MPI-4.1 section 8.5.3). Knows no MPI.

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

// A graph of which each rank knows its own edges (MPI-4.1 section 8.5.4). Knows no MPI.

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
