// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/topology/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace raddle::endpoints {

namespace {

/// The place in a dimension, or nobody.
int place_in(const Grid::Dimension& dimension, std::int64_t place) {
  if (place >= 0 && place < dimension.length) return static_cast<int>(place);
  if (!dimension.periodic) return nobody;
  const std::int64_t rest = place % dimension.length;
  return static_cast<int>(rest < 0 ? rest + dimension.length : rest);
}

}  // namespace

std::int64_t ranks_in(std::span<const int> lengths) {
  std::int64_t ranks = 1;
  for (const int length : lengths) {
    ranks *= length;
    if (ranks > std::numeric_limits<int>::max()) break;  // and does not overflow
  }
  return ranks;
}

int Grid::size() const {
  int ranks = 1;
  for (const Dimension& dimension : dimensions_) ranks *= dimension.length;
  return ranks;
}

std::vector<int> Grid::coordinates_of(int rank) const {
  std::vector<int> coordinates(dimensions_.size());
  for (std::size_t d = dimensions_.size(); d-- > 0; rank /= dimensions_[d].length)
    coordinates[d] = rank % dimensions_[d].length;
  return coordinates;
}

int Grid::rank_of(std::span<const int> coordinates) const {
  int rank = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const int place = place_in(dimensions_[d], coordinates[d]);
    if (place == nobody) return nobody;
    rank = rank * dimensions_[d].length + place;
  }
  return rank;
}

int Grid::moved(int rank, std::size_t dimension, std::int64_t steps) const {
  std::vector<int> coordinates = coordinates_of(rank);
  const int place = place_in(dimensions_[dimension], coordinates[dimension] + steps);
  if (place == nobody) return nobody;
  coordinates[dimension] = place;
  return rank_of(coordinates);
}

Neighbours Grid::neighbours_of(int rank) const {
  Neighbours neighbours;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const int below = moved(rank, d, -1);
    const int above = moved(rank, d, 1);
    neighbours.sources.insert(neighbours.sources.end(), {below, above});
    // What another rank sends downwards first comes from above: they may be the same one.
    const int place = static_cast<int>(2 * d);
    neighbours.turns.insert(neighbours.turns.end(), {place + 1, place});
  }
  neighbours.destinations = neighbours.sources;
  return neighbours;
}

Grid Grid::part(std::span<const bool> kept) const {
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (kept[d]) dimensions.push_back(dimensions_[d]);
  }
  return Grid(std::move(dimensions));
}

Grid::RankInPart Grid::rank_in_part(int rank, std::span<const bool> kept) const {
  const std::vector<int> coordinates = coordinates_of(rank);
  RankInPart own{0, 0};
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    int& number = kept[d] ? own.rank : own.part;
    number = number * dimensions_[d].length + coordinates[d];
  }
  return own;
}

Graph::Graph(std::vector<int> ends, std::vector<int> edges) : ends_(std::move(ends)), edges_(std::move(edges)) {}

std::span<const int> Graph::edges_of(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  const auto begin = static_cast<std::size_t>(rank == 0 ? 0 : ends_[at - 1]);
  return std::span(edges_).subspan(begin, static_cast<std::size_t>(ends_[at]) - begin);
}

Neighbours Graph::neighbours_of(int rank) const {
  const std::span<const int> edges = edges_of(rank);
  Neighbours neighbours;
  neighbours.sources.assign(edges.begin(), edges.end());
  neighbours.destinations = neighbours.sources;
  neighbours.turns.resize(edges.size());
  std::iota(neighbours.turns.begin(), neighbours.turns.end(), 0);
  return neighbours;
}

bool is_graph(std::span<const int> ends, const int* edges) {
  if (!std::ranges::is_sorted(ends) || (!ends.empty() && ends.front() < 0)) return false;
  const int count = ends.empty() ? 0 : ends.back();
  if (count > 0 && edges == nullptr) return false;
  return std::all_of(edges, edges + count,
                     [size = ends.size()](int rank) { return rank >= 0 && static_cast<std::size_t>(rank) < size; });
}

namespace {

/// Calls `visit(rank)` for those that have to know of an edge.
template <typename Visit>
void each_end(const Edge& edge, Visit&& visit) {
  visit(static_cast<std::size_t>(edge.from));
  if (edge.to != edge.from) visit(static_cast<std::size_t>(edge.to));
}

}  // namespace

Neighbours DistributedGraph::neighbours() const {
  Neighbours all{in.ranks, out.ranks, std::vector<int>(in.ranks.size())};
  std::iota(all.turns.begin(), all.turns.end(), 0);
  return all;
}

Parcels parcels_of(std::span<const Edge> declared, int size) {
  Parcels parcels{std::vector<int>(static_cast<std::size_t>(size)), {}};
  for (const Edge& edge : declared) each_end(edge, [&](std::size_t rank) { ++parcels.counts[rank]; });
  std::vector<std::size_t> next(parcels.counts.size());
  std::size_t all = 0;
  for (std::size_t rank = 0; rank < next.size(); ++rank) {
    next[rank] = all;
    all += static_cast<std::size_t>(parcels.counts[rank]);
  }
  parcels.edges.resize(all);
  for (const Edge& edge : declared) each_end(edge, [&](std::size_t rank) { parcels.edges[next[rank]++] = edge; });
  return parcels;
}

DistributedGraph graph_of(int rank, std::span<const Edge> edges, bool weighted) {
  DistributedGraph graph;
  graph.weighted = weighted;
  const auto add = [&](DistributedGraph::Edges& side, int other, int weight) {
    side.ranks.push_back(other);
    if (weighted) side.weights.push_back(weight);
  };
  for (const Edge& edge : edges) {
    if (edge.from == rank) add(graph.out, edge.to, edge.weight);
    if (edge.to == rank) add(graph.in, edge.from, edge.weight);
  }
  return graph;
}

}  // namespace raddle::endpoints
