// SPDX-License-Identifier: BSD-3-Clause
// Variables of threads at a fixed distance from the thread's pointer, more than the loader keeps room for by itself.
// ranks: 4
#include <stdlib.h>

#include "../twin.h"

static __thread int numbers[1000] __attribute__((tls_model("initial-exec"))) = {1, 2, 3};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  say("%d %d %d %d", numbers[0], numbers[1], numbers[2], numbers[999]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 1000; ++i) numbers[i] += rank;
  MPI_Barrier(MPI_COMM_WORLD);
  say("%d %d %d %d", numbers[0], numbers[1], numbers[2], numbers[999]);
  const char* const tunables = getenv("GLIBC_TUNABLES");
  say("tunables %s", tunables == NULL ? "not set" : tunables);
  MPI_Finalize();
  return 0;
}
