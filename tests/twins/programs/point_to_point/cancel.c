// SPDX-License-Identifier: BSD-3-Clause
// A receive that matches nothing is cancelled; one that has matched is not (MPI-4.1 3.8.4).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = 3, w = -1, yes = -1;
  MPI_Request r;
  MPI_Status s;
  MPI_Irecv(&w, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, &s);
  MPI_Test_cancelled(&s, &yes);
  say("cancelled %d, null %d", yes, r == MPI_REQUEST_NULL);
  MPI_Irecv(&w, 1, MPI_INT, 1 - rank, 78, MPI_COMM_WORLD, &r);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&v, 1, MPI_INT, 1 - rank, 78, MPI_COMM_WORLD);
  MPI_Wait(&r, &s);
  MPI_Test_cancelled(&s, &yes);
  say("cancelled %d, got %d of %d", yes, w, size);
  MPI_Finalize();
  return 0;
}
