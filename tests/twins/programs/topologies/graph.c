// SPDX-License-Identifier: BSD-3-Clause
// A graph and a distributed one with weights, and what they are asked (MPI-4.1 8.5).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const int index[4] = {2, 3, 4, 6}, edges[6] = {1, 3, 0, 3, 0, 2};
  int n, m, kind, to[3], from[3], weights[2] = {rank, rank + 10}, got[2], ways[2];
  MPI_Comm graph, wide;
  MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
  MPI_Graphdims_get(graph, &n, &m);
  MPI_Graph_neighbors_count(graph, rank, &kind);
  MPI_Graph_neighbors(graph, rank, 3, to);
  say("%d %d, %d neighbours, first %d", n, m, kind, to[0]);
  MPI_Comm_free(&graph);
  from[0] = (rank + 3) % 4, from[1] = rank, to[0] = (rank + 1) % 4, to[1] = rank;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights, MPI_INFO_NULL, 0, &wide);
  MPI_Dist_graph_neighbors_count(wide, &n, &m, &kind);
  MPI_Dist_graph_neighbors(wide, 2, from, got, 2, to, ways);
  say("%d %d weighted %d: %d %d, %d %d; %d %d of %d", n, m, kind, from[0], from[1], to[0], to[1], got[1], ways[0],
      size);
  MPI_Comm_free(&wide);
  MPI_Finalize();
  return 0;
}
