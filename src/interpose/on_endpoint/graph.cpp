// SPDX-License-Identifier: BSD-3-Clause
// MPI-4.1 sections 8.5.3 to 8.5.5 and 8.5.8: graphs that all ranks know as a whole, and those of which each rank knows
// its own edges. And MPI_Topo_test.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::DistributedGraph;
using endpoints::Edge;
using endpoints::error_with;
using endpoints::Graph;
using endpoints::Grid;
using endpoints::Topology;

// Graphs that all ranks know as a whole.

/// @returns an MPI error code: whether this is a graph that can be made of the endpoint's communicator
int check_graph(const Endpoint& endpoint, int size, const int* ends, const int* edges) {
  if (!are_there(ends, size)) return MPI_ERR_ARG;
  if (size > endpoint.size())
    return error_with(MPI_ERR_ARG, "Raddle: the graph has more nodes than the communicator has ranks");
  if (!endpoints::is_graph(several(ends, size), edges))
    return error_with(MPI_ERR_ARG, "Raddle: an index goes down, or an edge leads to none of the nodes");
  return MPI_SUCCESS;
}

/// @pre check_graph()
Graph make_graph(int size, const int* ends, const int* edges) {
  const int count = size == 0 ? 0 : ends[size - 1];
  return {{ends, ends + size}, {edges, edges + count}};
}

/// The endpoint's part in making this graph of the first ranks.
void take_part(Newcomer& newcomer, const Endpoint& endpoint, Graph&& graph) {
  std::vector<int> all{MPI_GRAPH};
  all.insert(all.end(), graph.ends().begin(), graph.ends().end());
  all.insert(all.end(), graph.edges().begin(), graph.edges().end());
  newcomer.given.digest = endpoints::digest_of(all);
  newcomer.given.colour = endpoint.rank() < graph.size() ? 0 : MPI_UNDEFINED;
  if (newcomer.given.colour == MPI_UNDEFINED) return;
  newcomer.topology = std::make_shared<const Topology>(std::move(graph), endpoint.rank());
  bring_handle(newcomer, endpoint);
}

// Graphs of which each rank knows its own edges.

bool weighs(const int* weights) { return weights != MPI_UNWEIGHTED; }

/// @returns an MPI error code: whether this can be so many ranks of the endpoint's communicator with their weights
int check_edges(const Endpoint& endpoint, int count, const int* ranks, const int* weights) {
  if (!are_there(ranks, count)) return MPI_ERR_ARG;
  if (!std::ranges::all_of(several(ranks, count), [&](int rank) { return is_rank(endpoint, rank); }))
    return MPI_ERR_RANK;
  if (count == 0 || !weighs(weights)) return MPI_SUCCESS;
  if (weights == nullptr || weights == MPI_WEIGHTS_EMPTY)
    return error_with(MPI_ERR_ARG, "Raddle: there are edges and no weights of them");
  return std::ranges::all_of(several(weights, count), [](int weight) { return weight >= 0; }) ? MPI_SUCCESS
                                                                                              : MPI_ERR_ARG;
}

/// Whether a graph has weights is the same on all ranks (MPI-4.1 section 8.5.4).
void take_part(Newcomer& newcomer, const Endpoint& endpoint, bool weighted, MPI_Info hints) {
  newcomer.given.digest = endpoints::digest_of({MPI_DIST_GRAPH, weighted ? 1 : 0});
  bring_handle(newcomer, endpoint, hints);
}

DistributedGraph::Edges edges_of(int count, const int* ranks, const int* weights) {
  DistributedGraph::Edges edges;
  if (count == 0) return edges;
  edges.ranks.assign(ranks, ranks + count);
  if (weighs(weights)) edges.weights.assign(weights, weights + count);
  return edges;
}

/// @pre the arguments are good
std::vector<Edge> declared(int count, const int* sources, const int* degrees, const int* destinations,
                           const int* weights) {
  std::vector<Edge> edges;
  for (int source = 0; source < count; ++source) {
    for (int degree = degrees[source]; degree > 0; --degree) {
      const std::size_t at = edges.size();
      edges.push_back({sources[source], destinations[at], weighs(weights) ? weights[at] : 0});
    }
  }
  return edges;
}

std::vector<MPI_Count> displacements_of(const std::vector<int>& counts) {
  std::vector<MPI_Count> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), MPI_Count{0});
  return places;
}

/// Collective: each rank tells those at the ends of the edges that it has declared. @returns an MPI error code, raised
int exchange(Endpoint& endpoint, std::span<const Edge> edges, std::vector<Edge>& got) {
  static_assert(sizeof(Edge) == 3 * sizeof(int));
  endpoints::Parcels out = endpoints::parcels_of(edges, endpoint.size());
  for (int& count : out.counts) count *= 3;
  std::vector<int> in(out.counts.size());
  if (const int code = Alltoall(out.counts.data(), 1, MPI_INT, in.data(), 1, MPI_INT, endpoint); code != MPI_SUCCESS)
    return code;
  const std::vector<MPI_Count> out_places = displacements_of(out.counts);
  const std::vector<MPI_Count> in_places = displacements_of(in);
  got.resize(static_cast<std::size_t>(in_places.back() + in.back()) / 3);
  return Alltoallv(out.edges.data(), out.counts.data(), out_places.data(), MPI_INT, got.data(), in.data(),
                   in_places.data(), MPI_INT, endpoint);
}

int check_declared(const Endpoint& endpoint, int count, const int* sources, const int* degrees, const int* destinations,
                   const int* weights) {
  if (const int code = check_edges(endpoint, count, sources, MPI_UNWEIGHTED); code != MPI_SUCCESS) return code;
  if (!are_there(degrees, count) || std::ranges::any_of(several(degrees, count), [](int n) { return n < 0; }))
    return MPI_ERR_ARG;
  const std::span<const int> all = several(degrees, count);
  const auto edges = std::accumulate(all.begin(), all.end(), std::int64_t{0});
  if (edges > std::numeric_limits<int>::max() / 6) return MPI_ERR_ARG;  // twice three numbers of each
  return check_edges(endpoint, static_cast<int>(edges), destinations, weights);
}

void tell(const DistributedGraph::Edges& edges, int room, int* ranks, int* weights) {
  const auto count = std::min(static_cast<std::size_t>(room), edges.ranks.size());
  std::copy_n(edges.ranks.begin(), count, ranks);
  if (!edges.weights.empty() && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY)
    std::copy_n(edges.weights.begin(), count, weights);
}

}  // namespace

int Graph_create(Endpoint& endpoint, int size, const int* ends, const int* edges, int, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_alike};
  say(newcomer, check_graph(endpoint, size, ends, edges));
  if (newcomer.code == MPI_SUCCESS) take_part(newcomer, endpoint, make_graph(size, ends, edges));
  return derive(endpoint, "MPI_Graph_create", newcomer, made);
}

int Graphdims_get(const Endpoint& endpoint, int* size, int* edges) {
  return about<Graph>(endpoint, [&](const Graph& graph) {
    *size = graph.size();
    *edges = static_cast<int>(graph.edges().size());
    return MPI_SUCCESS;
  });
}

int Graph_get(const Endpoint& endpoint, int room, int room_for_edges, int* ends, int* edges) {
  return about<Graph>(endpoint, [&](const Graph& graph) {
    if (room < graph.size() || room_for_edges < static_cast<int>(graph.edges().size())) return MPI_ERR_ARG;
    std::ranges::copy(graph.ends(), ends);
    std::ranges::copy(graph.edges(), edges);
    return MPI_SUCCESS;
  });
}

int Graph_neighbors_count(const Endpoint& endpoint, int rank, int* count) {
  return about<Graph>(endpoint, [&](const Graph& graph) {
    if (!is_rank(endpoint, rank)) return MPI_ERR_RANK;
    *count = static_cast<int>(graph.edges_of(rank).size());
    return MPI_SUCCESS;
  });
}

int Graph_neighbors(const Endpoint& endpoint, int rank, int room, int* neighbours) {
  return about<Graph>(endpoint, [&](const Graph& graph) {
    if (!is_rank(endpoint, rank)) return MPI_ERR_RANK;
    const std::span<const int> edges = graph.edges_of(rank);
    if (room < static_cast<int>(edges.size())) return MPI_ERR_ARG;
    std::ranges::copy(edges, neighbours);
    return MPI_SUCCESS;
  });
}

int Graph_map(const Endpoint& endpoint, int size, const int* ends, const int* edges, int* rank) {
  if (const int code = check_graph(endpoint, size, ends, edges); code != MPI_SUCCESS)
    return endpoints::raise(endpoint.comm, code);
  *rank = endpoint.rank() < size ? endpoint.rank() : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int Dist_graph_create(Endpoint& endpoint, int count, const int* sources, const int* degrees, const int* destinations,
                      const int* weights, MPI_Info hints, int, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_alike};
  say(newcomer, check_declared(endpoint, count, sources, degrees, destinations, weights));
  if (newcomer.code == MPI_SUCCESS) take_part(newcomer, endpoint, weighs(weights), hints);
  if (const int code = derive(endpoint, "MPI_Dist_graph_create", newcomer, made); code != MPI_SUCCESS) return code;
  // What is left to do is between those who have it: the program does not know it yet.
  Endpoint& there = *endpoints::find<endpoints::Kind::communicator>(*made);
  std::vector<Edge> edges;
  if (const int code = exchange(there, declared(count, sources, degrees, destinations, weights), edges);
      code != MPI_SUCCESS) {
    Comm_free(there, made);
    return code;
  }
  there.set_topology(std::make_shared<const Topology>(endpoints::graph_of(there.rank(), edges, weighs(weights))));
  return MPI_SUCCESS;
}

int Dist_graph_create_adjacent(Endpoint& endpoint, int in, const int* sources, const int* in_weights, int out,
                               const int* destinations, const int* out_weights, MPI_Info hints, int, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_alike};
  int code = check_edges(endpoint, in, sources, in_weights);
  if (code == MPI_SUCCESS) code = check_edges(endpoint, out, destinations, out_weights);
  if (code == MPI_SUCCESS && weighs(in_weights) != weighs(out_weights))
    code = error_with(MPI_ERR_ARG, "Raddle: edges of one direction have weights, and those of the other have none");
  say(newcomer, code);
  if (code == MPI_SUCCESS) {
    newcomer.topology = std::make_shared<const Topology>(DistributedGraph{
        edges_of(in, sources, in_weights), edges_of(out, destinations, out_weights), weighs(in_weights)});
    take_part(newcomer, endpoint, weighs(in_weights), hints);
  }
  return derive(endpoint, "MPI_Dist_graph_create_adjacent", newcomer, made);
}

int Dist_graph_neighbors_count(const Endpoint& endpoint, int* in, int* out, int* weighted) {
  return about<DistributedGraph>(endpoint, [&](const DistributedGraph& graph) {
    *in = static_cast<int>(graph.in.ranks.size());
    *out = static_cast<int>(graph.out.ranks.size());
    *weighted = graph.weighted ? 1 : 0;
    return MPI_SUCCESS;
  });
}

int Dist_graph_neighbors(const Endpoint& endpoint, int room_in, int* sources, int* in_weights, int room_out,
                         int* destinations, int* out_weights) {
  return about<DistributedGraph>(endpoint, [&](const DistributedGraph& graph) {
    if (room_in < 0 || room_out < 0) return MPI_ERR_ARG;
    tell(graph.in, room_in, sources, in_weights);
    tell(graph.out, room_out, destinations, out_weights);
    return MPI_SUCCESS;
  });
}

int Topo_test(const Endpoint& endpoint, int* status) {
  const Topology* const topology = endpoint.topology().get();
  if (topology == nullptr)
    *status = MPI_UNDEFINED;
  else if (topology->as<Grid>() != nullptr)
    *status = MPI_CART;
  else
    *status = topology->as<Graph>() != nullptr ? int{MPI_GRAPH} : int{MPI_DIST_GRAPH};
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
