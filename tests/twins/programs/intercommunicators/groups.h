// SPDX-License-Identifier: BSD-3-Clause
// Two groups of MPI_COMM_WORLD, and an intercommunicator between them.
#ifndef GROUPS_H
#define GROUPS_H
#include "../twin.h"

enum { unequal, alternating };  // rank 0 and all others; the even and the odd ranks

static inline int colour_of(int how) {
  const int rank = rank_of(MPI_COMM_WORLD);
  return how == unequal ? rank != 0 : rank % 2;
}

// Whether this rank is in the group of rank 0 of MPI_COMM_WORLD.
static inline int in_first(int how) { return colour_of(how) == 0; }

static inline MPI_Comm local_group(int how) {
  MPI_Comm local;
  MPI_Comm_split(MPI_COMM_WORLD, colour_of(how), 0, &local);
  return local;
}

static inline MPI_Comm between(int how) {
  MPI_Comm local = local_group(how), inter;
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, in_first(how) ? 1 : 0, 5, &inter);
  MPI_Comm_free(&local);
  return inter;
}

static inline int remote_size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_remote_size(comm, &size);
  return size;
}
#endif
