// SPDX-License-Identifier: BSD-3-Clause
// What comes is shorter than the room for it: MPIs let that pass, and the rest of the room stays as it was.
// except: intel/*: MPI_Gather of a rank that sends less hangs with processes
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int size = size_of(MPI_COMM_WORLD);
  int v[64], w[64];
  for (int i = 0; i < 64; ++i) v[i] = 100 + i, w[i] = -1;
  say("Gather: class %d", class_of(MPI_Gather(v, 1, MPI_INT, w, 2, MPI_INT, 0, MPI_COMM_WORLD)));
  say("%d %d", w[0], w[1]);
  for (int i = 0; i < 64; ++i) w[i] = -1;
  say("Scatter: class %d", class_of(MPI_Scatter(v, 1, MPI_INT, w, 2, MPI_INT, 0, MPI_COMM_WORLD)));
  say("%d %d", w[0] - rank_of(MPI_COMM_WORLD) % size, w[1]);
  MPI_Finalize();
  return 0;
}
