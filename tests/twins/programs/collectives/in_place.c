// SPDX-License-Identifier: BSD-3-Clause
// MPI_IN_PLACE in each operation that takes it (MPI-4.1 6.2).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[4] = {rank, rank, rank, rank}, a[4] = {0}, counts[4] = {1, 1, 1, 1};
  a[rank] = rank + 1;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INT, MPI_COMM_WORLD);
  say("allgather %d %d %d %d", a[0], a[1], a[2], a[3]);
  MPI_Gather(rank == 2 ? MPI_IN_PLACE : &a[rank], 1, MPI_INT, a, 1, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Scatter(a, 1, MPI_INT, rank == 1 ? MPI_IN_PLACE : (void*)&v[0], 1, MPI_INT, 1, MPI_COMM_WORLD);
  say("scatter %d", v[0]);
  for (int i = 0; i < 4; ++i) v[i] = rank * 10 + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, v, 1, MPI_INT, MPI_COMM_WORLD);
  say("alltoall %d %d %d %d", v[0], v[1], v[2], v[3]);
  MPI_Allreduce(MPI_IN_PLACE, v, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(rank == 3 ? MPI_IN_PLACE : v, rank == 3 ? v : NULL, 4, MPI_INT, MPI_MAX, 3, MPI_COMM_WORLD);
  say("allreduce %d %d", v[0], v[3]);
  MPI_Scan(MPI_IN_PLACE, a, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("scan %d %d", a[0], a[3]);
  MPI_Reduce_scatter(MPI_IN_PLACE, v, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("reduce_scatter %d of %d", v[0], size);
  MPI_Finalize();
  return 0;
}
