// SPDX-License-Identifier: BSD-3-Clause
// MPI_Parrived comes true for each partition, MPI_Pready_range and MPI_Pready_list send several (MPI-4.1 4.2.2).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 6 };
  double v[N] = {0};
  MPI_Request r;
  if (rank == 0) {
    int list[3] = {5, 0, 2};
    MPI_Psend_init(v, N, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    for (int i = 0; i < N; ++i) v[i] = i + 0.5;
    MPI_Pready_list(3, list, r);
    MPI_Pready(1, r);
    MPI_Pready_range(3, 4, r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Precv_init(v, N, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    for (int i = 0; i < N; ++i)
      for (int flag = 0; !flag;) MPI_Parrived(r, i, &flag);
    say("%g %g %g %g %g %g of %d", v[0], v[1], v[2], v[3], v[4], v[5], size);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&r);
  say("null %d", r == MPI_REQUEST_NULL);
  MPI_Finalize();
  return 0;
}
