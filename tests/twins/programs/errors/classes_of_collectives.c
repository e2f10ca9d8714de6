// SPDX-License-Identifier: BSD-3-Clause
// The classes of wrong arguments of collectives that are the same on all ranks (MPI-4.1 9.4).
#include "../twin.h"

#define TRY(call) say("%s: class %d", #call, class_of(call))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const MPI_Comm world = MPI_COMM_WORLD;
  int v[8] = {0}, w[8];
  MPI_Request request;
  TRY(MPI_Bcast(v, 1, MPI_INT, 99, world));
  TRY(MPI_Bcast(v, 1, MPI_INT, -1, world));
  TRY(MPI_Bcast(v, -1, MPI_INT, 0, world));
  TRY(MPI_Bcast(v, 1, MPI_DATATYPE_NULL, 0, world));
  TRY(MPI_Reduce(v, w, 1, MPI_INT, MPI_SUM, 99, world));
  TRY(MPI_Allreduce(v, w, 1, MPI_INT, MPI_OP_NULL, world));
  TRY(MPI_Gather(v, 1, MPI_INT, w, 1, MPI_INT, 99, world));
  TRY(MPI_Scatter(v, 1, MPI_INT, w, 1, MPI_INT, 99, world));
  TRY(MPI_Allgather(v, -1, MPI_INT, w, 1, MPI_INT, world));
  TRY(MPI_Alltoall(v, -1, MPI_INT, w, 1, MPI_INT, world));
  TRY(MPI_Scan(v, w, -1, MPI_INT, MPI_SUM, world));
  TRY(MPI_Exscan(v, w, 1, MPI_INT, MPI_OP_NULL, world));
  TRY(MPI_Ibcast(v, 1, MPI_INT, 99, world, &request));
  TRY(MPI_Iallreduce(v, w, 1, MPI_INT, MPI_OP_NULL, world, &request));
  TRY(MPI_Barrier(MPI_COMM_NULL));
  TRY(MPI_Barrier(world));
  MPI_Finalize();
  return 0;
}
