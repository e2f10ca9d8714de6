// SPDX-License-Identifier: BSD-3-Clause
// MPI_Abort on another communicator than MPI_COMM_WORLD ends the whole job as well, with all MPIs.
// args: 7 self | 7 dup
// status: nonzero: launchers may give the status of a process that they have killed
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* what = argc > 2 ? argv[2] : "";
  MPI_Comm comm = MPI_COMM_WORLD;
  if (!strcmp(what, "dup")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int value;
  say("begins");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 2) MPI_Abort(strcmp(what, "self") ? comm : MPI_COMM_SELF, atoi(argv[1]));
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
