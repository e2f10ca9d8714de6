// SPDX-License-Identifier: BSD-3-Clause
// A call that fails, with a handler that counts: how often it is called, whatever the variable for the result held before.
// args: null | world | live
#include "../twin.h"

static int called;

static void count(MPI_Comm* comm, int* code, ...) { called++; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Comm live, made = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &live);
  if (is_arg(argc, argv, "world")) made = MPI_COMM_WORLD;
  if (is_arg(argc, argv, "live")) made = live;
  MPI_Comm_dup(MPI_COMM_NULL, &made);
  say("MPI_Comm_dup: called %d", called);
  MPI_Comm_create(live, MPI_GROUP_NULL, &made);
  say("MPI_Comm_create: called %d", called);
  int sum = 0, one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, live);
  say("the live one lives: %d", sum);
  MPI_Comm_free(&live);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
