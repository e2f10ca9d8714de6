// SPDX-License-Identifier: BSD-3-Clause
// A grid: coordinates, shifts over edges with and without periods, lines of it (MPI-4.1 8.5).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int dims[2] = {0, 0}, periods[2] = {1, 0}, at[2], from, to, n, kind, where;
  const int keep[2] = {0, 1};
  MPI_Comm grid, line;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, rank_of(grid), 2, at);
  for (int d = 0; d < 2; ++d) {
    MPI_Cart_shift(grid, d, 1, &from, &to);
    say("%d: %d %d", d, from == MPI_PROC_NULL ? -1 : from, to == MPI_PROC_NULL ? -1 : to);
  }
  MPI_Cartdim_get(grid, &n);
  MPI_Topo_test(grid, &kind);
  at[0] += 2;
  MPI_Cart_rank(grid, at, &where);
  say("at %d %d is %d, dims %d x %d, %d, cart %d", at[0], at[1], where, dims[0], dims[1], n, kind == MPI_CART);
  MPI_Cart_sub(grid, keep, &line);
  MPI_Cart_get(line, 1, dims, periods, at);
  say("line %d/%d, dims %d period %d at %d, rank %d", rank_of(line), size_of(line), dims[0], periods[0], at[0], rank);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
