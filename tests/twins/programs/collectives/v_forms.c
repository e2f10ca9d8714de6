// SPDX-License-Identifier: BSD-3-Clause
// Gatherv, Scatterv, Allgatherv, Alltoallv and Alltoallw with counts of their own, some of them 0 (MPI-4.1 6.5 to 6.8).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int counts[4] = {0, 1, 2, 3}, at[4] = {0, 0, 2, 5}, all[9], mine[4] = {rank, rank + 10, rank + 20, rank + 30};
  memset(all, -1, sizeof all);
  MPI_Gatherv(mine, rank, MPI_INT, all, counts, at, MPI_INT, 1, MPI_COMM_WORLD);
  say("gatherv %d %d %d %d %d", all[0], all[1], all[2], all[5], all[7]);
  MPI_Allgatherv(mine, rank, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
  say("allgatherv %d %d %d %d %d", all[0], all[1], all[2], all[5], all[7]);
  memset(mine, -1, sizeof mine);
  MPI_Scatterv(all, counts, at, MPI_INT, mine, rank, MPI_INT, 3, MPI_COMM_WORLD);
  say("scatterv %d %d %d", mine[0], mine[1], mine[2]);
  int send[16], got[16], out[4], in[4], froms[4], tos[4];
  MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  for (int i = 0; i < 16; ++i) send[i] = rank * 100 + i;
  for (int i = 0; i < 4; ++i) out[i] = (rank + i) % 4, in[i] = (rank + i) % 4, froms[i] = tos[i] = 4 * i;
  memset(got, -1, sizeof got);
  MPI_Alltoallv(send, out, froms, MPI_INT, got, in, tos, MPI_INT, MPI_COMM_WORLD);
  long sum = 0;
  for (int i = 0; i < 16; ++i) sum += (long)got[i] * (i + 1);
  say("alltoallv %ld", sum);
  for (int i = 0; i < 4; ++i) froms[i] *= (int)sizeof(int), tos[i] *= (int)sizeof(int);
  memset(got, -1, sizeof got);
  MPI_Alltoallw(send, out, froms, types, got, in, tos, types, MPI_COMM_WORLD);
  sum = 0;
  for (int i = 0; i < 16; ++i) sum += (long)got[i] * (i + 1);
  say("alltoallw %ld of %d", sum, size);
  MPI_Finalize();
  return 0;
}
