// SPDX-License-Identifier: BSD-3-Clause
// MPI_Finalize first deletes what hangs on MPI_COMM_SELF, last set first; MPI still works meanwhile (MPI-4.1 11.2.4).
// ranks: 4
#include "../twin.h"

static int order;

static int del(MPI_Comm comm, int key, void* value, void* extra) {
  int ended, size;
  MPI_Finalized(&ended);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  say("deletes %d as number %d, of MPI_COMM_SELF: %d, finalized: %d, size %d", *(int*)value, order++,
      comm == MPI_COMM_SELF, ended, size);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static int values[3] = {1, 2, 3};
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 3; ++i) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, del, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &values[i]);
    MPI_Comm_free_keyval(&key);
  }
  MPI_Finalize();
  return 0;
}
