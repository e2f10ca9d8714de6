// SPDX-License-Identifier: BSD-3-Clause
// What ranks pass as one value by MPI_Accumulate and MPI_Get_accumulate, a structure as bytes, is never seen half. The
// standard promises that for elements only (MPI-4.1 12.7.1), but lists and queues are made so.
// ranks: 4
#include "../twin.h"

struct pair {
  int first;
  char between[200];  // it takes a while
  long second;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  struct pair* memory;
  MPI_Win window;
  int torn = 0;
  MPI_Win_allocate(rank == 0 ? sizeof *memory : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  if (rank == 0) memset(memory, 0, sizeof *memory);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  for (int i = 1; i <= 2000; ++i) {
    struct pair mine, seen;
    memset(&mine, 0, sizeof mine);
    mine.first = 1000 * rank + i;
    mine.second = -1000L * rank - i;
    MPI_Accumulate(&mine, sizeof mine, MPI_BYTE, 0, 0, sizeof mine, MPI_BYTE, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, &seen, sizeof seen, MPI_BYTE, 0, 0, sizeof seen, MPI_BYTE, MPI_NO_OP,
                       window);
    MPI_Win_flush(0, window);
    torn += seen.first != -seen.second;
  }
  MPI_Win_unlock_all(window);
  say("seen half: %d", torn);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
