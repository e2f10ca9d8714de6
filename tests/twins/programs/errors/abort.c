// SPDX-License-Identifier: BSD-3-Clause
// MPI_Abort's code is the exit status (MPI-4.1 9.7); the others wait for ever in a receive, a barrier, or by polling.
// args: 1 recv | 7 recv | 77 recv | 7 barrier | 7 poll | 200 recv
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* what = argc > 2 ? argv[2] : "";
  int value, flag = 0;
  say("begins");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 2) MPI_Abort(MPI_COMM_WORLD, atoi(argv[1]));
  if (!strcmp(what, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  while (!strcmp(what, "poll") && !flag) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
