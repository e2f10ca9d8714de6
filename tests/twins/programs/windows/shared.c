// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a node load and store what others have allocated (MPI-4.1 12.2.3).
// ranks: 4
// except: */nodes: there is one rank on each node
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  long *mine, *first;
  MPI_Aint bytes;
  int unit;
  MPI_Win window;
  MPI_Win_allocate_shared(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  mine[0] = rank;
  mine[1] = 10L * rank;
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
  for (int other = 0; other < size; ++other)
    say("rank %d has %ld and %ld", other, first[2 * other], first[2 * other + 1]);
  say("%ld bytes in units of %d", (long)bytes, unit);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
