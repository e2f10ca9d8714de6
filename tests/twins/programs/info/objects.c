// SPDX-License-Identifier: BSD-3-Clause
// Info objects: set, get, count, duplicate, delete (MPI-4.1 10).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Info info, twin;
  char value[20], key[MPI_MAX_INFO_KEY];
  int n, flag, length = sizeof value;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", rank ? "red" : "blue");
  MPI_Info_set(info, "size", "12");
  MPI_Info_dup(info, &twin);
  MPI_Info_delete(info, "size");
  MPI_Info_get_nkeys(info, &n);
  MPI_Info_get_nthkey(info, 0, key);
  MPI_Info_get_string(twin, "size", &length, value, &flag);
  say("%d %s, %s %d %d of %d", n, key, value, flag, length, size);
  length = sizeof value;
  MPI_Info_get_string(info, "size", &length, value, &flag);
  say("%d", flag);
  MPI_Info_free(&info);
  MPI_Info_free(&twin);
  say("null %d", info == MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
