// SPDX-License-Identifier: BSD-3-Clause
// A copy function with flag 0 leaves the attribute out; one that fails makes the duplication fail (MPI-4.1 7.7.2).
// args: flag | error
#include "../twin.h"

static int fails, called;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  called++;
  *flag = 0;
  return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, made;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  fails = is_arg(argc, argv, "error");
  int key, v = 0, flag = -1;
  void* got;
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(parent, key, &v);
  const int code = MPI_Comm_dup(parent, &made);
  say("copy called %d times, MPI_Comm_dup: %s", called, outcome(code));
  if (code == MPI_SUCCESS) {
    MPI_Comm_get_attr(made, key, &got, &flag);
    say("there: %d", flag);
    MPI_Comm_free(&made);
  }
  MPI_Comm_get_attr(parent, key, &got, &flag);
  say("there still: %d", flag);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&parent);
  MPI_Finalize();
  return 0;
}
