// SPDX-License-Identifier: BSD-3-Clause
// Variables of a program are a rank's own, static ones too.
// ranks: 4
#include "../twin.h"

static int counter;
int table[1000];

static int next(void) {
  static int calls;
  return ++calls;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  int sum = 0;
  for (int i = 0; i <= rank; ++i) counter += next();
  table[0] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&counter, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("%d %d, sum %d, next %d", counter, table[0], sum, next());
  MPI_Finalize();
  return 0;
}
