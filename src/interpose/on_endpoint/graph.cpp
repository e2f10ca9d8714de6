// SPDX-License-Identifier: BSD-3-Clause
// MPI-4.1 sections 8.5.3, 8.5.5 and 8.5.8: graphs that all ranks know as a whole. And MPI_Topo_test.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/topology_of.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::error_with;
using endpoints::Graph;
using endpoints::Grid;
using endpoints::Topology;

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
