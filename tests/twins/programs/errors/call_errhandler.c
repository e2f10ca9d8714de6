// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_call_errhandler calls the communicator's handler with this handle and this code (MPI-4.1 9.5).
// args: world | self | dup | split
#include "../twin.h"

static MPI_Comm seen = MPI_COMM_NULL;
static int code_seen, called;

static void keep(MPI_Comm* comm, int* code, ...) {
  seen = *comm;
  code_seen = *code;
  called++;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  if (is_arg(argc, argv, "self")) comm = MPI_COMM_SELF;
  if (is_arg(argc, argv, "dup")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (is_arg(argc, argv, "split")) MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD), &comm);
  MPI_Errhandler handler, got;
  MPI_Comm_create_errhandler(keep, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_get_errhandler(comm, &got);
  say("the handler is what was set: %d", got == handler);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&handler);
  say("freed: %d", handler == MPI_ERRHANDLER_NULL);
  const int code = MPI_Comm_call_errhandler(comm, MPI_ERR_TAG);
  say("called %d times, the same handle: %d, class %d, returns %s", called, seen == comm, class_of(code_seen),
      outcome(code));
  int v = 0;
  MPI_Send(&v, 1, MPI_INT, 99, 0, comm);
  say("called %d times, the same handle: %d, class %d", called, seen == comm, class_of(code_seen));
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  say("MPI_ERRORS_RETURN: %s", outcome(MPI_Comm_call_errhandler(comm, MPI_ERR_TAG)));
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
