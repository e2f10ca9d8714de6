// SPDX-License-Identifier: BSD-3-Clause
// Numbers drawn from a counter at rank 0 are all different (MPI-4.1 12.3.4), by fetch-and-op and under exclusive locks.
// ranks: 4
// args: fetch | lock
#include "../twin.h"

static int draw(MPI_Win window, int locks) {
  const int one = 1;
  int drawn = -1;
  if (locks) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&drawn, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    const int next = drawn + 1;
    MPI_Put(&next, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  } else {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
  }
  return drawn;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { each = 25 };
  int* counter;
  int drawn[4 * each] = {0}, all[4 * each];
  MPI_Win window;
  MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < each; ++i) ++drawn[draw(window, strcmp(argv[1], "lock") == 0)];
  MPI_Allreduce(drawn, all, size * each, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int right = 1;
  for (int i = 0; i < size * each; ++i) right = right && all[i] == 1;
  say("%s", right ? "each number once" : "a number twice");
  if (rank == 0) say("counter is %d", *counter);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
