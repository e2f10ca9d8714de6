// SPDX-License-Identifier: BSD-3-Clause
// Vectors, indexed blocks and structs arrive in other layouts of the same signature (MPI-4.1 5.1).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int m[6][6], got[12] = {0};
  MPI_Datatype column, block;
  MPI_Status s;
  for (int i = 0; i < 36; ++i) m[i / 6][i % 6] = i + 100 * rank;
  MPI_Type_vector(6, 2, 6, MPI_INT, &column);
  const int at[3] = {0, 13, 20};
  MPI_Type_create_indexed_block(3, 4, at, MPI_INT, &block);
  MPI_Type_commit(&column);
  MPI_Type_commit(&block);
  MPI_Sendrecv(&m[0][1], 1, column, 1 - rank, 0, got, 12, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &s);
  say("%d %d %d %d .. %d", got[0], got[1], got[2], got[3], got[11]);
  MPI_Sendrecv(got, 12, MPI_INT, 1 - rank, 0, m, 1, block, 1 - rank, 0, MPI_COMM_WORLD, &s);
  int n, elements;
  MPI_Get_count(&s, block, &n);
  MPI_Get_elements(&s, block, &elements);
  say("%d %d %d %d, count %d, elements %d of %d", m[0][0], m[0][4], m[2][1], m[3][2], n, elements, size);
  MPI_Type_free(&column);
  MPI_Type_free(&block);
  MPI_Finalize();
  return 0;
}
