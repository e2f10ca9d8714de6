// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collectives on two communicators, polled in opposite orders by even and odd ranks (MPI-4.1 6.12).
// args: barrier | allreduce | bcast
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  static int data[2][50000], sums[2][50000];
  MPI_Comm comms[2];
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    data[i][49999] = rank + i;
  }
  for (int k = 0; k < 2; ++k) {
    const int i = (rank + k) % 2;
    if (is_arg(argc, argv, "barrier")) MPI_Ibarrier(comms[i], &requests[i]);
    if (is_arg(argc, argv, "allreduce"))
      MPI_Iallreduce(data[i], sums[i], 50000, MPI_INT, MPI_SUM, comms[i], &requests[i]);
    if (is_arg(argc, argv, "bcast")) MPI_Ibcast(data[i], 50000, MPI_INT, 3, comms[i], &requests[i]);
  }
  for (int k = 0; k < 2; ++k) {
    const int i = (rank / 2 + k) % 2;
    int flag = 0;
    while (!flag) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
  }
  say("%d %d, %d %d", data[0][49999], data[1][49999], sums[0][49999], sums[1][49999]);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  MPI_Finalize();
  return 0;
}
