// SPDX-License-Identifier: BSD-3-Clause
// A handler that was freed is the communicator's still; what MPI_Comm_get_errhandler gives is one reference more (MPI-4.1 9.3.4).
#include "../twin.h"

static int called;

static void count(MPI_Comm* comm, int* code, ...) { called++; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm a, b;
  MPI_Errhandler handler, got;
  int v = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(a, handler);
  MPI_Errhandler_free(&handler);
  MPI_Send(&v, 1, MPI_INT, 99, 0, a);
  say("called %d times", called);
  MPI_Comm_get_errhandler(a, &got);
  MPI_Comm_dup(MPI_COMM_SELF, &b);
  MPI_Comm_set_errhandler(b, got);
  MPI_Errhandler_free(&got);
  MPI_Comm_free(&a);
  MPI_Send(&v, 1, MPI_INT, 99, 0, b);
  say("called %d times", called);
  MPI_Comm_free(&b);
  MPI_Finalize();
  return 0;
}
