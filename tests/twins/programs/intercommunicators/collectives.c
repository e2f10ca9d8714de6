// SPDX-License-Identifier: BSD-3-Clause
// Collectives between two groups, each way (MPI-4.1 6.2.2): what one group gives the other one gets.
// ranks: 4
// args: 0 | 1 | 0 later
#include "groups.h"

enum { most = 16 };
static MPI_Comm inter;
static int later, rank, size, remote, mine[most], got[most];

static void begin(void) {
  for (int i = 0; i < most; ++i) mine[i] = 100 * rank_of(MPI_COMM_WORLD) + i, got[i] = -1;
}

static void tell(const char* what, int count) {
  char text[200] = "";
  for (int i = 0; i < count; ++i) sprintf(text + strlen(text), " %d", got[i]);
  say("%s:%s", what, text);
}

// The same call, blocking or not.
#define CALL(small, large, ...)              \
  do {                                       \
    if (later) {                             \
      MPI_Request request;                   \
      MPI_I##small(__VA_ARGS__, &request);   \
      MPI_Wait(&request, MPI_STATUS_IGNORE); \
    } else {                                 \
      MPI_##large(__VA_ARGS__);              \
    }                                        \
  } while (0)

// From or to rank `one` of a group; `root` is what this rank calls it.
static void rooted(const char* way, int gives, int one) {
  const int root = gives ? (rank == one ? MPI_ROOT : MPI_PROC_NULL) : one;
  char what[40];
  int counts[most], places[most];
  for (int i = 0; i < most; ++i) counts[i] = i % 2 + 1, places[i] = 3 * i;
  begin();
  CALL(bcast, Bcast, gives ? mine : got, 3, MPI_INT, root, inter);
  sprintf(what, "bcast %s", way);
  tell(what, 3);
  begin();
  CALL(scatter, Scatter, mine, 2, MPI_INT, got, 2, MPI_INT, root, inter);
  sprintf(what, "scatter %s", way);
  tell(what, 3);
  begin();
  CALL(scatterv, Scatterv, mine, counts, places, MPI_INT, got, gives ? 0 : counts[rank], MPI_INT, root, inter);
  sprintf(what, "scatterv %s", way);
  tell(what, 3);
  begin();
  CALL(gather, Gather, mine, 2, MPI_INT, got, 2, MPI_INT, root, inter);
  sprintf(what, "gather %s", way);
  tell(what, 7);
  begin();
  CALL(gatherv, Gatherv, mine, gives ? 0 : counts[rank], MPI_INT, got, counts, places, MPI_INT, root, inter);
  sprintf(what, "gatherv %s", way);
  tell(what, 10);
  begin();
  CALL(reduce, Reduce, mine, got, 3, MPI_INT, MPI_SUM, root, inter);
  sprintf(what, "reduce %s", way);
  tell(what, 4);
}

static void of_all(void) {
  int counts[most], places[most], back[most], back_places[most];
  MPI_Datatype types[most], other_types[most];
  begin();
  CALL(barrier, Barrier, inter);
  CALL(allgather, Allgather, mine, 2, MPI_INT, got, 2, MPI_INT, inter);
  tell("allgather", 8);
  begin();
  for (int i = 0; i < most; ++i) counts[i] = i + 1, places[i] = 4 * i;
  CALL(allgatherv, Allgatherv, mine, rank + 1, MPI_INT, got, counts, places, MPI_INT, inter);
  tell("allgatherv", 12);
  begin();
  CALL(alltoall, Alltoall, mine, 1, MPI_INT, got, 1, MPI_INT, inter);
  tell("alltoall", 5);
  begin();
  for (int i = 0; i < most; ++i) {
    counts[i] = (rank + i) % 3;
    back[i] = (rank + i) % 3;
    places[i] = back_places[i] = 3 * i;
  }
  CALL(alltoallv, Alltoallv, mine, counts, places, MPI_INT, got, back, back_places, MPI_INT, inter);
  tell("alltoallv", 10);
  begin();
  for (int i = 0; i < most; ++i) {
    places[i] = back_places[i] = 3 * i * (int)sizeof(int);
    types[i] = other_types[i] = MPI_INT;
  }
  CALL(alltoallw, Alltoallw, mine, counts, places, types, got, back, back_places, other_types, inter);
  tell("alltoallw", 10);
  begin();
  CALL(allreduce, Allreduce, mine, got, 3, MPI_INT, MPI_SUM, inter);
  tell("allreduce", 4);
  begin();
  // As many elements for both groups.
  for (int i = 0; i < most; ++i) counts[i] = 0;
  counts[0] = 1, counts[size - 1] += 2;
  CALL(reduce_scatter, Reduce_scatter, mine, got, counts, MPI_INT, MPI_MAX, inter);
  tell("reduce_scatter", 4);
  begin();
  CALL(reduce_scatter_block, Reduce_scatter_block, mine, got, remote, MPI_INT, MPI_MIN, inter);
  tell("reduce_scatter_block", 4);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int how = atoi(argv[1]);
  later = argc > 2;
  inter = between(how);
  rank = rank_of(inter), size = size_of(inter), remote = remote_size_of(inter);
  const int last = in_first(how) ? size - 1 : remote - 1, other_last = in_first(how) ? remote - 1 : size - 1;
  rooted("from the first", in_first(how), last);
  rooted("from the second", !in_first(how), other_last);
  rooted("from its first", !in_first(how), 0);
  of_all();
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
