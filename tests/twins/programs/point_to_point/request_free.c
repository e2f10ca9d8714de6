// SPDX-License-Identifier: BSD-3-Clause
// A send whose request is freed at once still arrives (MPI-4.1 3.7.3).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[20], sum = 0;
  if (rank == 0) {
    for (int i = 0; i < 20; ++i) {
      MPI_Request r;
      v[i] = i;
      MPI_Isend(&v[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &r);
      MPI_Request_free(&r);
      sum += r == MPI_REQUEST_NULL;
    }
  } else if (rank == 1) {
    for (int i = 19; i >= 0; --i) {
      MPI_Recv(&v[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += v[i];
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  say("%d of %d", sum, size);
  MPI_Finalize();
  return 0;
}
