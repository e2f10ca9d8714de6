// SPDX-License-Identifier: BSD-3-Clause
// One rank calls exit(3) before MPI_Finalize while the others wait, each in its way: the job ends.
// status: nonzero: MPICH's launcher may give the status of a process that it has killed, Intel MPI's gives 255
// args: recv | barrier | poll | finalize | sleep
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  say("begins");
  settle();
  int value, flag = 0;
  if (rank_of(MPI_COMM_WORLD) == 1) exit(3);
  if (is_arg(argc, argv, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  while (is_arg(argc, argv, "poll") && !flag) MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (is_arg(argc, argv, "recv")) MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is_arg(argc, argv, "sleep")) sleep(20);
  MPI_Finalize();
  return 0;
}
