// SPDX-License-Identifier: BSD-3-Clause
// MPI_Sendrecv and MPI_Sendrecv_replace: around, with oneself, with MPI_PROC_NULL (MPI-4.1 3.10).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const int partners[3] = {size - 1 - rank, rank, MPI_PROC_NULL};
  for (int i = 0; i < 3; ++i) {
    int out[3] = {rank, i, 7}, in[5] = {-1, -1, -1, -1, -1}, both[2] = {rank, 100 + i}, n = -1;
    MPI_Status status;
    MPI_Sendrecv(out, 3, MPI_INT, partners[i], 1, in, 5, MPI_INT, partners[i], 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    say("%d: %d %d %d %d, count %d, from %d, any tag %d", i, in[0], in[1], in[2], in[3], n,
        status.MPI_SOURCE == MPI_PROC_NULL ? -2 : status.MPI_SOURCE, status.MPI_TAG == MPI_ANY_TAG);
    MPI_Sendrecv_replace(both, 2, MPI_INT, partners[i], 2, partners[i], MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say("%d replaced: %d %d", i, both[0], both[1]);
  }
  MPI_Finalize();
  return 0;
}
