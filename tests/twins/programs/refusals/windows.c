// SPDX-License-Identifier: BSD-3-Clause
// Windows are not for ranks that are threads yet: by default the refusal ends the job as an error would (MPI-4.1 9.3).
// refused: MPI_Win_create: windows, files and intercommunicators of ranks are still to come (docs/endpoints.md)
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int memory = 3;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  say("made and freed");
  MPI_Finalize();
  return 0;
}
