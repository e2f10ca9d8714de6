// SPDX-License-Identifier: BSD-3-Clause
// A rank has less room than it is sent (MPI-4.1 6.1: lengths must match): it is told, and the others go on.
// except: intel/*: natively too MPI_Gather does not end there
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm world;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  const int rank = rank_of(world);
  int v[64] = {0}, w[64];
  say("Gather: class %d", class_of(MPI_Gather(v, rank == 0 ? 1 : 2, MPI_INT, w, 1, MPI_INT, 0, world)));
  MPI_Finalize();
  return 0;
}
