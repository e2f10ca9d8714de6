// SPDX-License-Identifier: BSD-3-Clause
// Attributes are copied by MPI_Comm_dup as their functions say, and deleted with the communicator (MPI-4.1 7.7.2).
#include "../twin.h"

static int deleted;

static int copies(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key;
  *(int**)out = in;
  *flag = *(int*)extra;
  return MPI_SUCCESS;
}

static int deletes(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)extra;
  deleted += *(int*)value;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  int yes = 1, no = 0, a = 10 + rank, b = 100, keys[2], flag[2], *found[2], *bound, *none;
  MPI_Comm twin;
  MPI_Comm_create_keyval(copies, deletes, &keys[0], &yes);
  MPI_Comm_create_keyval(copies, deletes, &keys[1], &no);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keys[0], &a);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keys[1], &b);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  for (int i = 0; i < 2; ++i) MPI_Comm_get_attr(twin, keys[i], &found[i], &flag[i]);
  say("%d %d, value %d, deleted %d", flag[0], flag[1], *found[0], deleted);
  MPI_Comm_free(&twin);
  say("deleted %d", deleted);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keys[1]);
  say("deleted %d", deleted);
  MPI_Comm_free_keyval(&keys[1]);
  say("invalid %d", keys[1] == MPI_KEYVAL_INVALID);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag[0]);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &none, &flag[1]);
  say("tags %d %d, host %d", flag[0], *bound >= 32767, flag[1]);
  MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], &a);
  MPI_Finalize();
  printf("%d: deleted at the end %d\n", rank, deleted >= 2 * a);
  return 0;
}
