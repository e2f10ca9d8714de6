// SPDX-License-Identifier: BSD-3-Clause
// By default an error on an intercommunicator ends the job (MPI-4.1 9.3): here a rank that the remote group has not.
// status: nonzero: launchers differ
#include "groups.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm inter = between(alternating);
  say("made");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 0) MPI_Send(NULL, 0, MPI_INT, 1, 0, inter);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
