// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/topology/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace raddle::endpoints {

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

}  // namespace raddle::endpoints
