// SPDX-License-Identifier: BSD-3-Clause
// A delete function that fails: the attribute stays, the communicator too (MPI-4.1 7.7.2); later it agrees.
#include "../twin.h"

static int fails = 1, called;

static int del(MPI_Comm comm, int key, void* value, void* extra) {
  called++;
  return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int key, v = 0, flag = -1;
  void* got;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, del, &key, NULL);
  MPI_Comm_set_attr(comm, key, &v);
  say("delete: %s", outcome(MPI_Comm_delete_attr(comm, key)));
  fails = 0;
  MPI_Comm_get_attr(comm, key, &got, &flag);
  say("there: %d", flag);
  say("called %d times, freed: %s", called, outcome(MPI_Comm_free(&comm)));
  say("called %d times", called);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
