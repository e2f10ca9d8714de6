// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_create, MPI_Comm_create_group, MPI_Comm_split_type and MPI_Comm_idup (MPI-4.1 7.4.2).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Group all, even;
  MPI_Comm a, b = MPI_COMM_NULL, node, twin;
  MPI_Request r;
  const int ranks[2] = {2, 0};
  int v = rank;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, ranks, &even);
  MPI_Comm_create(MPI_COMM_WORLD, even, &a);
  if (rank % 2 == 0) MPI_Comm_create_group(MPI_COMM_WORLD, even, 3, &b);
  say("null %d %d", a == MPI_COMM_NULL, b == MPI_COMM_NULL);
  if (rank % 2 == 0) {
    MPI_Bcast(&v, 1, MPI_INT, 0, b);
    say("%d %d, from %d of %d", rank_of(a), rank_of(b), v, size);
    MPI_Comm_free(&a);
    MPI_Comm_free(&b);
  }
  MPI_Comm_idup(MPI_COMM_WORLD, &twin, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Barrier(twin);
  say("idup %d", size_of(twin));
  MPI_Comm_free(&twin);
  MPI_Comm_free(&node);
  MPI_Group_free(&all);
  MPI_Group_free(&even);
  MPI_Finalize();
  return 0;
}
