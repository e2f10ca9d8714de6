// SPDX-License-Identifier: BSD-3-Clause
// Dynamic sparse exchange: synchronous sends, probes and MPI_Ibarrier.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = rank * 7, sum = 0, done = 0, entered = 0;
  MPI_Request sends[2], barrier;
  for (int i = 0; i < 2; ++i) MPI_Issend(&v, 1, MPI_INT, (rank + 1 + i * rank) % size, 4, MPI_COMM_WORLD, &sends[i]);
  while (!done) {
    int flag, got, sent;
    MPI_Status s;
    MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, &s);
    if (flag) {
      MPI_Recv(&got, 1, MPI_INT, s.MPI_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += got + 1000;
    }
    if (entered) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      MPI_Testall(2, sends, &sent, MPI_STATUSES_IGNORE);
      if (sent) MPI_Ibarrier(MPI_COMM_WORLD, &barrier), entered = 1;
    }
  }
  say("%d", sum);
  MPI_Finalize();
  return 0;
}
