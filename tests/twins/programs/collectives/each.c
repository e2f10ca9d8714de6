// SPDX-License-Identifier: BSD-3-Clause
// Each blocking collective operation with ints from each root (MPI-4.1 6.4 to 6.11).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int root = 0; root < size; ++root) {
    int one = rank + 1, all[4] = {0}, to[4] = {rank, rank + 10, rank + 20, rank + 30}, got[4] = {0},
        v = rank == root ? 42 + root : 0;
    MPI_Bcast(&v, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
    say("%d bcast %d gather %d %d %d %d", root, v, all[0], all[1], all[2], all[3]);
    MPI_Scatter(to, 1, MPI_INT, &v, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(to, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
    say("%d scatter %d allgather %d alltoall %d %d %d %d", root, v, all[3], got[0], got[1], got[2], got[3]);
    MPI_Reduce(to, got, 4, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    say("%d reduce %d %d", root, rank == root ? got[0] : 0, rank == root ? got[3] : 0);
  }
  int v = rank + 1, sum = 0, before = -7, upto = 0, part = 0, to[4] = {1, 2, 3, 4};
  MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
  MPI_Scan(&v, &upto, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(&v, &before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(to, &part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("%d %d %d %d", sum, upto, rank ? before : 0, part);
  MPI_Finalize();
  return 0;
}
