// SPDX-License-Identifier: BSD-3-Clause
// Copy and delete functions of datatypes' attributes are given the datatype (MPI-4.1 7.7.4).
#include "../twin.h"

static MPI_Datatype used;
static int copied, deleted;

static int copy(MPI_Datatype type, int key, void* extra, void* in, void* out, int* flag) {
  copied += type == used ? 1 : 100;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int del(MPI_Datatype type, int key, void* value, void* extra) {
  deleted += type == used ? 1 : 100;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static int value = 3;
  MPI_Init(&argc, &argv);
  MPI_Datatype type, made;
  int key, flag;
  int* got;
  MPI_Type_contiguous(2, MPI_INT, &type);
  used = type;
  MPI_Type_create_keyval(copy, del, &key, NULL);
  MPI_Type_set_attr(type, key, &value);
  MPI_Type_dup(type, &made);
  MPI_Type_get_attr(made, key, &got, &flag);
  say("copied %d, there %d, value %d", copied, flag, flag ? *got : -1);
  MPI_Type_delete_attr(type, key);
  say("deleted %d", deleted);
  used = made;
  MPI_Type_free(&made);
  say("deleted %d", deleted);
  MPI_Type_free(&type);
  MPI_Type_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
