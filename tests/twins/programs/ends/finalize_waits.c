// SPDX-License-Identifier: BSD-3-Clause
// A message that was sent before its receiver is in MPI_Finalize arrives: the sender may end first (MPI-4.1 11.2.2).
// args: short | long | buffered
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), n = is_arg(argc, argv, "long") ? 200000 : 10;
  int* v = calloc((size_t)n, sizeof *v);
  if (rank == 0) {
    v[n - 1] = 42;
    if (is_arg(argc, argv, "buffered")) {
      static char buffer[100000];
      MPI_Buffer_attach(buffer, sizeof buffer);
      MPI_Bsend(v, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Send(v, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
  } else if (rank == 1) {
    usleep(200000);
    MPI_Recv(v, n, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("got %d", v[n - 1]);
  }
  MPI_Finalize();
  free(v);
  return 0;
}
