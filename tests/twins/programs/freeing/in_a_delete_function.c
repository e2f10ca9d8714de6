// SPDX-License-Identifier: BSD-3-Clause
// A delete function frees another communicator, which the attribute has held: what libraries do with their own duplicate.
#include "../twin.h"

static int del(MPI_Comm comm, int key, void* value, void* extra) {
  MPI_Comm* inner = value;
  MPI_Comm_free(inner);
  say("inner freed: %d", *inner == MPI_COMM_NULL);
  free(inner);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm, *inner = malloc(sizeof *inner);
  int key, sum = 0, one = 1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(comm, inner);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, del, &key, NULL);
  MPI_Comm_set_attr(comm, key, inner);
  MPI_Comm_free_keyval(&key);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *inner);
  say("sum %d", sum);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
