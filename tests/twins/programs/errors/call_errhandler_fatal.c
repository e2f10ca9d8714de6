// SPDX-License-Identifier: BSD-3-Clause
// By default MPI_Comm_call_errhandler ends the job.
// args: world | self | dup | by all
// status: nonzero: which one is the MPI's own affair
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = is_arg(argc, argv, "self") ? MPI_COMM_SELF : MPI_COMM_WORLD;
  if (is_arg(argc, argv, "dup")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  say("begins");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 1 || is_arg(argc, argv, "by")) {
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    say("goes on");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
