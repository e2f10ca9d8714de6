// SPDX-License-Identifier: BSD-3-Clause
// A program whose atexit function calls MPI_Finalize, as libraries do.
#include "../twin.h"

static void finalize(void) {
  int done = 0, sum = 0, one = 1;
  MPI_Finalized(&done);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("finalized: %d, ranks: %d", done, sum);
  MPI_Finalize();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  atexit(finalize);
  say("main returns");
  return 0;
}
