// SPDX-License-Identifier: BSD-3-Clause
// Several partitioned operations at once, in order of their initialisation, with other messages beside them (MPI-4.1 4.2).
// ranks: 4
// except: openmpi/preloaded: Open MPI itself never ends, and merely preloaded it is Open MPI itself
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 3, P = 4 };
  int out[N][P], in[N][P], other = rank, from = -1, bad = 0;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request r[2 * N];
  for (int i = 0; i < N; ++i) {
    MPI_Psend_init(out[i], P, 1, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[i]);
    MPI_Precv_init(in[i], P, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[N + i]);
  }
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(2 * N, r);
    MPI_Sendrecv(&other, 1, MPI_INT, right, 1, &from, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int p = 0; p < P; ++p)
      for (int i = 0; i < N; ++i) {
        out[i][p] = rank * 1000 + i * 100 + p * 10 + round;
        MPI_Pready(p, r[i]);
      }
    MPI_Waitall(2 * N, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; ++i)
      for (int p = 0; p < P; ++p) bad += in[i][p] != left * 1000 + i * 100 + p * 10 + round;
  }
  say("bad %d, other from %d", bad, from);
  for (int i = 0; i < 2 * N; ++i) MPI_Request_free(&r[i]);
  MPI_Finalize();
  return 0;
}
