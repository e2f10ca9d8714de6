// SPDX-License-Identifier: BSD-3-Clause
// Attributes of several keys: each is copied once and deleted once, the value is each copy's own (MPI-4.1 7.7).
// ranks: 4
#include "../twin.h"

static int copies, deletes, sum;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  int* made = malloc(sizeof *made);
  *made = *(int*)in * 10 + *(int*)extra;
  *(int**)out = made;
  *flag = 1;
  copies++;
  return MPI_SUCCESS;
}

static int del(MPI_Comm comm, int key, void* value, void* extra) {
  deletes++;
  sum += *(int*)value;
  free(value);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static int extras[3] = {1, 2, 3};
  MPI_Init(&argc, &argv);
  MPI_Comm a, b, c;
  int keys[3], flag;
  MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &a);
  for (int i = 0; i < 3; ++i) {
    int* value = malloc(sizeof *value);
    *value = i + 1;
    MPI_Comm_create_keyval(copy, del, &keys[i], &extras[i]);
    MPI_Comm_set_attr(a, keys[i], value);
  }
  MPI_Comm_dup(a, &b);
  MPI_Comm_dup(b, &c);
  int* got;
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_get_attr(c, keys[i], &got, &flag);
    say("key %d: there %d, value %d", i, flag, flag ? *got : -1);
  }
  MPI_Comm_delete_attr(b, keys[1]);
  say("copies %d, deletes %d, sum %d", copies, deletes, sum);
  MPI_Comm_free(&a);
  say("deletes %d, sum %d", deletes, sum);
  MPI_Comm_free(&b);
  for (int i = 0; i < 3; ++i) MPI_Comm_free_keyval(&keys[i]);
  MPI_Comm_get_attr(c, MPI_TAG_UB, &got, &flag);
  MPI_Comm_free(&c);
  say("deletes %d, sum %d", deletes, sum);
  MPI_Finalize();
  return 0;
}
