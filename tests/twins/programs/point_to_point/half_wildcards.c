// SPDX-License-Identifier: BSD-3-Clause
// A receive with any source and a tag, one with a source and any tag: which message each takes (MPI-4.1 3.5).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[4] = {rank * 10, rank * 10 + 1, rank * 10 + 2, rank * 10 + 3}, a = -1, b = -1, c = -1, d = -1;
  if (rank == 1) {
    for (int i = 0; i < 4; ++i) MPI_Send(&v[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Request r[4];
    MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&b, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&c, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[2]);
    MPI_Irecv(&d, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    say("%d %d %d %d of %d", a, b, c, d, size);
  }
  MPI_Finalize();
  return 0;
}
