// SPDX-License-Identifier: BSD-3-Clause
// Rank 1 tests null requests until a message from rank 0 has come, which needs rank 1 for a long one: it sees it by MPI_Iprobe.
#include "../twin.h"

enum { N = 300000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  int* v = calloc(N, sizeof *v);
  if (rank == 0) {
    v[5] = 5;
    MPI_Send(v, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag, found = 0, n;
    while (!found) {
      MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    }
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(v, n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("got %d of %d", v[5], n);
  }
  free(v);
  MPI_Finalize();
  return 0;
}
