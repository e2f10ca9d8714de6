// SPDX-License-Identifier: BSD-3-Clause
// Each rank puts into all others between two fences, and gets it back (MPI-4.1 12.5.1).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int memory[16] = {0}, got[16] = {0};
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  for (int to = 0; to < size; ++to) {
    const int value = 10 * rank + to;
    MPI_Put(&value, 1, MPI_INT, to, rank, 1, MPI_INT, window);
  }
  MPI_Win_fence(0, window);
  for (int from = 0; from < size; ++from) MPI_Get(&got[from], 1, MPI_INT, from, rank, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < size; ++i) say("has %d of %d, and gave it %d", memory[i], i, got[i]);
  MPI_Win_free(&window);
  say("window is %s", window == MPI_WIN_NULL ? "null" : "something");
  MPI_Finalize();
  return 0;
}
