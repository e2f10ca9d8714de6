// SPDX-License-Identifier: BSD-3-Clause
// Buffered sends fill the buffer several times; MPI_Buffer_detach waits for all (MPI-4.1 3.6).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 50, LENGTH = 100 };
  static char room[N * (LENGTH * sizeof(int) + MPI_BSEND_OVERHEAD)];
  int v[LENGTH], sum = 0;
  for (int round = 0; round < 3; ++round) {
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < LENGTH; ++k) v[k] = i + k + rank;
      MPI_Bsend(v, LENGTH, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    }
    for (int i = N - 1; i >= 0; --i) {
      MPI_Recv(v, LENGTH, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += v[LENGTH - 1];
    }
    void* back;
    int length;
    MPI_Buffer_detach(&back, &length);
    say("round %d: %d, %d %d of %d", round, sum, back == (void*)room, length == (int)sizeof room, size);
  }
  MPI_Finalize();
  return 0;
}
