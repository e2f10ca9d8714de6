// SPDX-License-Identifier: BSD-3-Clause
// What may be asked before MPI_Init and after MPI_Finalize (MPI-4.1 11.4.1).
#include "../twin.h"

static void ask(int rank, const char* when) {
  int begun, ended, version, subversion, length;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  MPI_Get_version(&version, &subversion);
  MPI_Get_library_version(text, &length);
  printf("%d: %s: begun %d, ended %d, version %d.%d, library %d\n", rank, when, begun, ended, version, subversion,
         length > 0);
}

int main(int argc, char** argv) {
  ask(0, "before");
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  ask(rank, "between");
  MPI_Finalize();
  ask(rank, "after");
  return 0;
}
