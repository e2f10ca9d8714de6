// SPDX-License-Identifier: BSD-3-Clause
// Six MiB on the stack, at once or by recursion: a process has eight.
// args: array | deep
// ranks: 4
#include "../twin.h"

static int deep(int n) {
  volatile char room[4096];
  room[n % 4096] = (char)n;
  return n == 0 ? 0 : room[n % 4096] - (char)n + deep(n - 1) + 1;
}

static int array(int n) {
  volatile char room[6 << 20];
  for (size_t i = 0; i < sizeof room; i += 4096) room[i] = (char)n;
  return room[4096];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = rank_of(MPI_COMM_WORLD) + 1;
  say("%d", is_arg(argc, argv, "deep") ? deep(1400) : array(n));
  MPI_Finalize();
  return 0;
}
