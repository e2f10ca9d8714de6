// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood operations on a periodic grid and a ring as a graph (MPI-4.1 8.6).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const int dims[2] = {2, 2}, periods[2] = {1, 0};
  int v[4] = {rank * 10, rank * 10 + 1, rank * 10 + 2, rank * 10 + 3}, got[4] = {-1, -1, -1, -1};
  MPI_Comm grid, ring;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, grid);
  say("allgather %d %d %d %d", got[0], got[1], got[2], got[3]);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size, weight = 1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &weight, 1, &right, &weight, MPI_INFO_NULL, 0, &ring);
  MPI_Neighbor_alltoall(v, 2, MPI_INT, got, 2, MPI_INT, ring);
  say("alltoall %d %d", got[0], got[1]);
  MPI_Request r;
  MPI_Ineighbor_allgather(v, 1, MPI_INT, got, 1, MPI_INT, ring, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  say("iallgather %d", got[0]);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
