// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/topology/distributed_graph.hpp"

#include <cstddef>
#include <numeric>

namespace raddle::endpoints {
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
