// SPDX-License-Identifier: BSD-3-Clause
// A communicator is freed while messages on it are under way: they arrive (MPI-4.1 7.4.3).
// args: short | long
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), n = is_arg(argc, argv, "long") ? 200000 : 4;
  int* v = calloc((size_t)n, sizeof *v);
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == 0) {
    v[n - 1] = 9;
    MPI_Isend(v, n, MPI_INT, 1, 0, comm, &request);
  } else {
    MPI_Irecv(v, n, MPI_INT, 0, 0, comm, &request);
  }
  MPI_Comm_free(&comm);
  say("null: %d", comm == MPI_COMM_NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("last %d", v[n - 1]);
  free(v);
  MPI_Finalize();
  return 0;
}
