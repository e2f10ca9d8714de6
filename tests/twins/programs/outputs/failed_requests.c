// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls that fail, with a handler of the program's or MPI_ERRORS_RETURN: nothing has been started, and MPI works on.
// args: return | own
#include "../twin.h"

static int called;

static void count(MPI_Comm* comm, int* code, ...) { called++; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (is_arg(argc, argv, "own")) MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  int v = 1, sum = 0, n = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  n += MPI_Isend(&v, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  n += MPI_Irecv(&v, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  n += MPI_Ibcast(&v, 1, MPI_INT, 99, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  n += MPI_Send_init(&v, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  say("told of %d", called ? called : n);  // with a handler of the program's, MPICH returns MPI_SUCCESS
  MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("sum %d", sum);
  MPI_Finalize();
  return 0;
}
