// SPDX-License-Identifier: BSD-3-Clause
// Handles to Fortran and back (MPI-4.1 19.3.4).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm twin, back;
  MPI_Request r;
  int v = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  back = MPI_Comm_f2c(MPI_Comm_c2f(twin));
  say("%d %d/%d", back == twin, rank_of(back), size);
  say("world %d, self %d", MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD,
      MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF);
  say("int %d, sum %d", MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT, MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
  MPI_Irecv(&v, 1, MPI_INT, 1 - rank, 0, back, &r);
  r = MPI_Request_f2c(MPI_Request_c2f(r));
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, twin);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  say("%d", v);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
