// SPDX-License-Identifier: BSD-3-Clause
// A rank ends without MPI_Finalize (MPI-4.1 11.2.2), and the others wait in a receive: the job ends, with a status that is not 0.
// args: exit | return | _exit
// status: nonzero: some MPIs give the status of whom they have killed
// except: openmpi/*: its launcher takes a process that ends with 0 for a good end, and status and time of the others differ from run to run
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  say("begins");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 1) {
    if (is_arg(argc, argv, "exit")) exit(3);
    if (is_arg(argc, argv, "return")) return 3;
    _exit(3);
  }
  int value;
  MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("goes on");
  MPI_Finalize();
  return 0;
}
