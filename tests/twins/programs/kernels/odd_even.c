// SPDX-License-Identifier: BSD-3-Clause
// A sort by exchange with neighbours.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = (rank * 7 + 3) % 5;
  for (int step = 0; step < size; ++step) {
    int other = (rank + step) % 2 ? rank - 1 : rank + 1, got = v;
    if (other < 0 || other >= size) other = MPI_PROC_NULL;
    MPI_Sendrecv(&v, 1, MPI_INT, other, step, &got, 1, MPI_INT, other, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (other != MPI_PROC_NULL && (rank < other ? got < v : got > v)) v = got;
  }
  say("%d", v);
  MPI_Finalize();
  return 0;
}
