// SPDX-License-Identifier: BSD-3-Clause
// Virtual topologies: MPI-4.1 chapter 8. Ranks keep their order, whatever `reorder` says.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;

int Topo_test(const Endpoint& endpoint, int* status);

// cartesian.cpp
int Cart_create(Endpoint& endpoint, int count, const int* lengths, const int* periodic, int reorder, MPI_Comm* made);
int Cart_sub(Endpoint& endpoint, const int* kept, MPI_Comm* made);
int Cartdim_get(const Endpoint& endpoint, int* count);
int Cart_get(const Endpoint& endpoint, int room, int* lengths, int* periodic, int* coordinates);
int Cart_rank(const Endpoint& endpoint, const int* coordinates, int* rank);
int Cart_coords(const Endpoint& endpoint, int rank, int room, int* coordinates);
int Cart_shift(const Endpoint& endpoint, int dimension, int steps, int* source, int* destination);
int Cart_map(const Endpoint& endpoint, int count, const int* lengths, const int* periodic, int* rank);

// graph.cpp
int Graph_create(Endpoint& endpoint, int size, const int* ends, const int* edges, int reorder, MPI_Comm* made);
int Graphdims_get(const Endpoint& endpoint, int* size, int* edges);
int Graph_get(const Endpoint& endpoint, int room, int room_for_edges, int* ends, int* edges);
int Graph_neighbors_count(const Endpoint& endpoint, int rank, int* count);
int Graph_neighbors(const Endpoint& endpoint, int rank, int room, int* neighbours);
int Graph_map(const Endpoint& endpoint, int size, const int* ends, const int* edges, int* rank);

// distributed_graph.cpp
int Dist_graph_create(Endpoint& endpoint, int count, const int* sources, const int* degrees, const int* destinations,
                      const int* weights, MPI_Info info, int reorder, MPI_Comm* made);
int Dist_graph_create_adjacent(Endpoint& endpoint, int in, const int* sources, const int* in_weights, int out,
                               const int* destinations, const int* out_weights, MPI_Info info, int reorder,
                               MPI_Comm* made);
int Dist_graph_neighbors_count(const Endpoint& endpoint, int* in, int* out, int* weighted);
int Dist_graph_neighbors(const Endpoint& endpoint, int room_in, int* sources, int* in_weights, int room_out,
                         int* destinations, int* out_weights);

}  // namespace raddle::interpose::on_endpoint
