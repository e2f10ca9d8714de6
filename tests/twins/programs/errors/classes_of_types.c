// SPDX-License-Identifier: BSD-3-Clause
// Datatypes that are null or not committed, operators that do not combine them, and messages of no elements.
#include "../twin.h"

#define TRY(call) say("%s: class %d", #call, class_of(call))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int nobody = MPI_PROC_NULL, me = rank_of(world), size = size_of(world);
  int v[64] = {0}, w[64], counts[4], places[4];
  MPI_Datatype raw, types[4];
  for (int i = 0; i < 4; ++i) counts[i] = 1, places[i] = 4 * i, types[i] = i == 1 ? MPI_DATATYPE_NULL : MPI_INT;
  MPI_Datatype ints[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  MPI_Type_contiguous(2, MPI_INT, &raw);
  MPI_Status status;
  TRY(MPI_Send(v, 0, MPI_DATATYPE_NULL, nobody, 0, world));
  TRY(MPI_Sendrecv(v, 0, MPI_DATATYPE_NULL, me, 1, w, 0, MPI_DATATYPE_NULL, me, 1, world, &status));
  TRY(MPI_Send(v, 0, raw, nobody, 0, world));
  TRY(MPI_Send(v, 1, raw, nobody, 0, world));
  TRY(MPI_Recv(v, 1, raw, nobody, 0, world, &status));
  TRY(MPI_Send(v, 1, MPI_DATATYPE_NULL, nobody, 0, world));
  TRY(MPI_Send(v, 1, MPI_INT, size, 0, world));
  TRY(MPI_Send(v, 1, MPI_INT, nobody, -3, world));
  TRY(MPI_Bcast(v, 0, MPI_DATATYPE_NULL, 0, world));
  TRY(MPI_Bcast(v, 1, raw, 0, world));
  TRY(MPI_Allgather(v, 0, MPI_DATATYPE_NULL, w, 0, MPI_DATATYPE_NULL, world));
  TRY(MPI_Allgather(v, 1, raw, w, 1, raw, world));
  TRY(MPI_Alltoallw(v, counts, places, types, w, counts, places, ints, world));
  TRY(MPI_Alltoallw(v, counts, places, ints, w, counts, places, types, world));
  TRY(MPI_Allreduce(v, w, 1, MPI_FLOAT, MPI_BAND, world));
  TRY(MPI_Allreduce(v, w, 1, MPI_INT, MPI_MINLOC, world));
  TRY(MPI_Reduce_local(v, w, 1, MPI_FLOAT, MPI_BAND));
  MPI_Type_free(&raw);
  MPI_Finalize();
  return 0;
}
