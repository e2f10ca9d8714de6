// SPDX-License-Identifier: BSD-3-Clause
// Variables of the program are each rank's own: global, static, static in a function, thread-local, initialised and not.
// ranks: 4
#include "../twin.h"

int initialised = 5;
int zero;
static int hidden[1000];
static __thread int of_thread = 3;
static const char* text = "first";

static int counted(void) {
  static int calls;
  return ++calls;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  say("%d %d %d %d %s", initialised, zero, hidden[999], of_thread, text);
  MPI_Barrier(MPI_COMM_WORLD);
  initialised += rank;
  zero = rank;
  hidden[999] = 10 * rank;
  of_thread = rank;
  if (rank == 2) text = "second";
  for (int i = 0; i < rank; ++i) counted();
  MPI_Barrier(MPI_COMM_WORLD);
  say("%d %d %d %d %s %d", initialised, zero, hidden[999], of_thread, text, counted());
  MPI_Finalize();
  return 0;
}
