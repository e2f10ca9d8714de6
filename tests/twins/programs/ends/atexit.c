// SPDX-License-Identifier: BSD-3-Clause
// What atexit has been given is called when a rank ends, by exit or by main's return, in the order that C fixes.
// args: return | exit
#include "../twin.h"

static int rank;

static void first(void) { printf("%d: set first\n", rank); }
static void second(void) {
  int done = 0;
  MPI_Finalized(&done);
  printf("%d: set second, finalized: %d\n", rank, done);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of(MPI_COMM_WORLD);
  atexit(first);
  atexit(second);
  MPI_Finalize();
  if (is_arg(argc, argv, "exit")) exit(0);
  return 0;
}
