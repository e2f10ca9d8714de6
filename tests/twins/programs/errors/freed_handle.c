// SPDX-License-Identifier: BSD-3-Clause
// Handles of what has been freed, where all handlers return.
// args: communicator | group
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (is_arg(argc, argv, "group")) {
    MPI_Group none = MPI_GROUP_NULL, made;
    int rank = 0;
    say("MPI_Group_incl of MPI_GROUP_NULL: %s", outcome(MPI_Group_incl(none, 1, &rank, &made)));
  } else {
    MPI_Comm copy, kept;
    MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    copy = kept;
    MPI_Comm_free(&copy);
    say("after MPI_Comm_free: %s", copy == MPI_COMM_NULL ? "MPI_COMM_NULL" : "something");
    say("MPI_Barrier on what was freed: %s", outcome(MPI_Barrier(kept)));
  }
  MPI_Finalize();
  return 0;
}
