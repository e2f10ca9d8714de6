// SPDX-License-Identifier: BSD-3-Clause
// A power iteration: rows are scattered, MPI_Allgather makes the vector whole.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 16 };
  double m[N][N], rows[N][N], x[N], y[N];
  for (int i = 0; i < N; ++i) {
    x[i] = 1;
    for (int k = 0; k < N; ++k) m[i][k] = i == k ? 4 : 1.0 / (1 + i + k);
  }
  MPI_Scatter(m, N * N / size, MPI_DOUBLE, rows, N * N / size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  double norm = 0;
  for (int step = 0; step < 20; ++step) {
    norm = 0;
    for (int i = 0; i < N / size; ++i) {
      y[i] = 0;
      for (int k = 0; k < N; ++k) y[i] += rows[i][k] * x[k];
      if (y[i] > norm) norm = y[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &norm, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < N / size; ++i) y[i] /= norm;
    MPI_Allgather(y, N / size, MPI_DOUBLE, x, N / size, MPI_DOUBLE, MPI_COMM_WORLD);
  }
  say("%.6f, of rank %d", norm, rank);
  MPI_Finalize();
  return 0;
}
