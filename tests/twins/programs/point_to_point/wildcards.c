// SPDX-License-Identifier: BSD-3-Clause
// Receives from anywhere and with any tag get every message once; those of one source in order (MPI-4.1 3.5).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  if (rank == 0) {
    int sums[8] = {0}, last[8] = {0}, ordered = 1;
    for (int i = 0; i < 20 * (size - 1); ++i) {
      int v;
      MPI_Status s;
      MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
      ordered &= v > last[s.MPI_SOURCE] && s.MPI_TAG == v % 3;
      last[s.MPI_SOURCE] = v;
      sums[s.MPI_SOURCE] += v;
    }
    say("ordered %d, sums %d %d %d", ordered, sums[1], sums[2], sums[3]);
  } else {
    for (int i = 1; i <= 20; ++i) MPI_Send(&i, 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
