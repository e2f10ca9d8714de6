// SPDX-License-Identifier: BSD-3-Clause
// Collective operations with a MiB from each rank (MPI-4.1 6).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 1 << 17 };
  double *a = malloc(N * sizeof(double)), *b = malloc(N * sizeof(double)), sum = 0;
  for (int i = 0; i < N; ++i) a[i] = i % 1000 + rank;
  MPI_Allreduce(a, b, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) sum += b[i];
  say("allreduce %.0f", sum);
  MPI_Bcast(a, N, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  MPI_Alltoall(a, N / size, MPI_DOUBLE, b, N / size, MPI_DOUBLE, MPI_COMM_WORLD);
  sum = 0;
  for (int i = 0; i < N; ++i) sum += b[i] * (i % 7);
  say("alltoall %.0f", sum);
  MPI_Reduce_scatter_block(a, b, N / size, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  say("%g %g", b[0], b[N / size - 1]);
  free(a);
  free(b);
  MPI_Finalize();
  return 0;
}
