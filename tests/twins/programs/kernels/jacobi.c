// SPDX-License-Identifier: BSD-3-Clause
// A Jacobi iteration on a grid of ranks, with columns as vectors.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 12 };
  static double a[N + 2][N + 2], b[N + 2][N + 2];
  int dims[2] = {0, 0}, up, down, left, right;
  const int periods[2] = {0, 0};
  MPI_Comm grid;
  MPI_Datatype column;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  MPI_Type_vector(N, 1, N + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  if (up == MPI_PROC_NULL)
    for (int i = 0; i < N + 2; ++i) a[0][i] = 1;
  for (int step = 0; step < 50; ++step) {
    MPI_Sendrecv(a[1] + 1, N, MPI_DOUBLE, up, 0, a[N + 1] + 1, N, MPI_DOUBLE, down, 0, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a[N] + 1, N, MPI_DOUBLE, down, 1, a[0] + 1, N, MPI_DOUBLE, up, 1, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a[1] + 1, 1, column, left, 2, a[1] + N + 1, 1, column, right, 2, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a[1] + N, 1, column, right, 3, a[1], 1, column, left, 3, grid, MPI_STATUS_IGNORE);
    for (int i = 1; i <= N; ++i)
      for (int k = 1; k <= N; ++k) b[i][k] = (a[i - 1][k] + a[i + 1][k] + a[i][k - 1] + a[i][k + 1]) / 4;
    for (int i = 1; i <= N; ++i) memcpy(a[i] + 1, b[i] + 1, N * sizeof(double));
  }
  double sum = 0, all;
  for (int i = 1; i <= N; ++i)
    for (int k = 1; k <= N; ++k) sum += a[i][k];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
  if (rank_of(grid) == 0) say("%.6f, world %d", all, rank >= 0);
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
