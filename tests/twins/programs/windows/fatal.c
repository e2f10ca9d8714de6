// SPDX-License-Identifier: BSD-3-Clause
// By default an error of a window ends the job (MPI-4.1 9.3): here a rank that the window has not.
// status: nonzero: launchers differ
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int memory = 0;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  say("made");
  MPI_Win_fence(0, window);
  settle();
  if (rank_of(MPI_COMM_WORLD) == 0) MPI_Put(&memory, 1, MPI_INT, 17, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
