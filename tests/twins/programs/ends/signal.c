// SPDX-License-Identifier: BSD-3-Clause
// One rank is ended by a signal while the others wait: the job ends with a status that is not 0.
// args: abort | segv | term | kill | fpe
// dies: by the signal that it raises
// status: nonzero: launchers tell the signal in different ways
#include <signal.h>

#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  say("begins");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 1) {
    if (is_arg(argc, argv, "abort")) abort();
    if (is_arg(argc, argv, "segv")) raise(SIGSEGV);
    if (is_arg(argc, argv, "term")) kill(getpid(), SIGTERM);
    if (is_arg(argc, argv, "kill")) kill(getpid(), SIGKILL);
    if (is_arg(argc, argv, "fpe")) raise(SIGFPE);
  }
  int value;
  MPI_Recv(&value, 1, MPI_INT, 1 - rank_of(MPI_COMM_WORLD), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
