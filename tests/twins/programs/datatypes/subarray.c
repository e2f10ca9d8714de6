// SPDX-License-Identifier: BSD-3-Clause
// Subarrays in both orders, and pieces of a distributed array (MPI-4.1 5.1.3, 5.1.4).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int m[8][8], sum = 0, part[16] = {0};
  const int sizes[2] = {8, 8}, inner[2] = {4, 4}, at[2] = {2, 3}, grid[2] = {2, 2};
  const int how[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, with[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  for (int i = 0; i < 64; ++i) m[i / 8][i % 8] = i;
  for (int order = 0; order < 2; ++order) {
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, inner, at, order ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(m, 1, type, rank ^ 1, 0, part, 16, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("order %d: %d %d %d", order, part[0], part[1], part[15]);
    MPI_Type_free(&type);
  }
  MPI_Datatype piece;
  MPI_Type_create_darray(size, rank, 2, sizes, how, with, grid, MPI_ORDER_C, MPI_INT, &piece);
  MPI_Type_commit(&piece);
  MPI_Sendrecv(m, 1, piece, rank, 0, part, 16, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 16; ++i) sum += part[i] * (i + 1);
  say("darray: %d", sum);
  MPI_Type_free(&piece);
  MPI_Finalize();
  return 0;
}
