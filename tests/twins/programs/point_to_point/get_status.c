// SPDX-License-Identifier: BSD-3-Clause
// MPI_Request_get_status looks at a request and leaves it (MPI-4.1 3.7.6).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = rank + 5, w = -1, flag = 0;
  MPI_Request r;
  MPI_Status s;
  MPI_Irecv(&w, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
  say("before: %d", flag);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Request_get_status(r, &flag, &s);
  say("from %d, there %d", s.MPI_SOURCE, r != MPI_REQUEST_NULL);
  MPI_Wait(&r, &s);
  say("got %d from %d, there %d of %d", w, s.MPI_SOURCE, r != MPI_REQUEST_NULL, size);
  MPI_Request_get_status(r, &flag, &s);
  say("null: %d", flag);
  MPI_Finalize();
  return 0;
}
