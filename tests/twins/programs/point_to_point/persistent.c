// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests are started many times, by MPI_Start and MPI_Startall (MPI-4.1 3.9).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int out[3], in[3], sum = 0;
  MPI_Request r[6];
  for (int i = 0; i < 3; ++i) {
    MPI_Recv_init(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &r[i]);
    if (i == 0) MPI_Send_init(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &r[3 + i]);
    if (i == 1) MPI_Ssend_init(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &r[3 + i]);
    if (i == 2) MPI_Send_init(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &r[3 + i]);
  }
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 3; ++i) out[i] = rank + round * 10 + i;
    if (round % 2) {
      MPI_Startall(6, r);
    } else {
      for (int i = 0; i < 6; ++i) MPI_Start(&r[i]);
    }
    MPI_Waitall(6, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i) sum += in[i];
  }
  say("sum %d, still there %d", sum, r[0] != MPI_REQUEST_NULL);
  for (int i = 0; i < 6; ++i) MPI_Request_free(&r[i]);
  say("null %d", r[5] == MPI_REQUEST_NULL);
  MPI_Finalize();
  return 0;
}
