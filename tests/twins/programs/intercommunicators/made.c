// SPDX-License-Identifier: BSD-3-Clause
// What an intercommunicator says of itself and its groups, and what merging makes of it (MPI-4.1 7.6).
// ranks: 4
// args: 0 | 1
#include "groups.h"

static void tell(const char* what, MPI_Comm comm) {
  MPI_Group local, remote, world;
  int inter = -1, own, ranks[8], there[8], compared;
  char text[100] = "";
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_group(comm, &local);
  MPI_Comm_remote_group(comm, &remote);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int size = remote_size_of(comm);
  for (int i = 0; i < size; ++i) ranks[i] = i;
  MPI_Group_translate_ranks(remote, size, ranks, world, there);
  for (int i = 0; i < size; ++i) sprintf(text + strlen(text), " %d", there[i]);
  MPI_Group_rank(remote, &own);
  MPI_Group_compare(local, remote, &compared);
  say("%s: %sinter, rank %d of %d, remote%s, own rank there %s, groups %s", what, inter ? "" : "no ", rank_of(comm),
      size_of(comm), text, own == MPI_UNDEFINED ? "undefined" : "defined",
      compared == MPI_UNEQUAL ? "unequal" : "not unequal");
  MPI_Group_free(&local);
  MPI_Group_free(&remote);
  MPI_Group_free(&world);
}

static void tell_merged(const char* what, MPI_Comm inter, int high) {
  MPI_Comm merged;
  int is_inter = -1, first = rank_of(MPI_COMM_WORLD), sum = 0;
  MPI_Intercomm_merge(inter, high, &merged);
  MPI_Comm_test_inter(merged, &is_inter);
  MPI_Bcast(&first, 1, MPI_INT, 0, merged);
  const int rank = rank_of(merged);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
  say("%s: %sinter, rank %d of %d, first is %d, sum %d", what, is_inter ? "" : "no ", rank, size_of(merged), first,
      sum);
  MPI_Comm_free(&merged);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int how = atoi(argv[1]);
  MPI_Comm inter = between(how);
  tell("made", inter);
  say("handler %s", handler_of(inter));
  tell_merged("first low", inter, !in_first(how));
  tell_merged("first high", inter, in_first(how));
  MPI_Comm_free(&inter);
  say("freed %d", inter == MPI_COMM_NULL);
  MPI_Finalize();
  return 0;
}
