// SPDX-License-Identifier: BSD-3-Clause
// A program that never calls MPI_Init, or asks MPI only what may be asked before it.
// args: nothing | asks | fails
#include "../twin.h"

int main(int argc, char** argv) {
  if (is_arg(argc, argv, "fails")) return 4;
  int begun = -1, ended = -1, version = 0, subversion = 0;
  if (is_arg(argc, argv, "asks")) {
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    MPI_Get_version(&version, &subversion);
  }
  printf("begun %d, ended %d, version %d.%d\n", begun, ended, version, subversion);
  return 0;
}
