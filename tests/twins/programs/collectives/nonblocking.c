// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking operations, several at a time, completed in the other order (MPI-4.1 6.12).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = rank + 1, sum = 0, b = rank == 2 ? 99 : 0, all[4] = {0}, before = 0, out[4], in[4] = {0};
  for (int i = 0; i < 4; ++i) out[i] = rank * 10 + i;
  MPI_Request r[6];
  MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
  MPI_Ibcast(&b, 1, MPI_INT, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Iallgather(&v, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &r[2]);
  MPI_Iexscan(&v, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[3]);
  MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &r[4]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[5]);
  for (int i = 5; i >= 0; --i) MPI_Wait(&r[i], MPI_STATUS_IGNORE);
  say("%d %d %d %d %d %d of %d", sum, b, all[3], rank ? before : 0, in[0], in[3], size);
  MPI_Finalize();
  return 0;
}
