// SPDX-License-Identifier: BSD-3-Clause
// MPI_IN_PLACE as the receive buffer (MPI-4.1 6.2): an error on all ranks.
#include "../twin.h"

#define TRY(call) say("%s: class %d", #call, class_of(call))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  int v[8] = {0};
  TRY(MPI_Allreduce(v, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world));
  TRY(MPI_Allgather(v, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world));
  TRY(MPI_Alltoall(v, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world));
  MPI_Finalize();
  return 0;
}
