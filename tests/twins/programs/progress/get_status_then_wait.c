// SPDX-License-Identifier: BSD-3-Clause
// MPI_Request_get_status tells that all is there and frees nothing; then MPI_Wait completes at once (MPI-4.1 3.7.6).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int out = rank, in = -1;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    int flag = 0;
    while (!flag) MPI_Request_get_status(requests[i], &flag, &status);
    say("request %d: null %d, source %d", i, requests[i] == MPI_REQUEST_NULL, i == 0 ? status.MPI_SOURCE : -1);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say("got %d", in);
  MPI_Finalize();
  return 0;
}
