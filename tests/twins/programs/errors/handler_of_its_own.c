// SPDX-License-Identifier: BSD-3-Clause
// A handler may set another handler, call MPI, and is no longer called when it is replaced (MPI-4.1 9.3).
// except: mpich/*: with MPI_THREAD_MULTIPLE, for which Raddle asks, MPICH 5.0.2 cannot set a handler in a handler (a lock of its own)
#include "../twin.h"

static int first_calls, second_calls;
static MPI_Errhandler second_handler;

static void second(MPI_Comm* comm, int* code, ...) { second_calls++; }

static void first(MPI_Comm* comm, int* code, ...) {
  first_calls++;
  int rank, v = 1, w = 0;
  MPI_Comm_rank(*comm, &rank);
  MPI_Sendrecv(&v, 1, MPI_INT, rank, 3, &w, 1, MPI_INT, rank, 3, *comm, MPI_STATUS_IGNORE);
  say("in the handler: %d", w);
  MPI_Comm_set_errhandler(*comm, second_handler);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(first, &handler);
  MPI_Comm_create_errhandler(second, &second_handler);
  MPI_Comm_set_errhandler(comm, handler);
  int v = 0;
  for (int i = 0; i < 3; ++i) MPI_Send(&v, 1, MPI_INT, 99, 0, comm);
  say("first %d, second %d", first_calls, second_calls);
  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&second_handler);
  MPI_Finalize();
  return 0;
}
