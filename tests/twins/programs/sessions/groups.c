// SPDX-License-Identifier: BSD-3-Clause
// Communicators of some ranks: of halves of a set, two of the same ranks that differ by their tags, in another order, of
// nobody; and what they are made of again (MPI-4.1 7.4.2).
// ranks: 4
#include "sessions.h"

static void exchange(MPI_Comm world, MPI_Comm comm, const char* what) {
  int rank = rank_of(world), gathered[4] = {-1, -1, -1, -1};
  MPI_Allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, comm);
  say_on(world, "%s: rank %d of %d, of %d %d %d %d", what, rank_of(comm), size_of(comm), gathered[0], gathered[1],
         gathered[2], gathered[3]);
}

int main(void) {
  MPI_Session session = begin();
  MPI_Group all = group_of(session, "mpi://WORLD"), half, turned, nobody;
  MPI_Comm world = comm_of(session, "mpi://WORLD", "all"), comm, same, copy;
  int rank, size;
  MPI_Group_rank(all, &rank);
  MPI_Group_size(all, &size);
  int upper = rank >= size / 2, range[1][3] = {{upper ? size / 2 : 0, upper ? size - 1 : size / 2 - 1, 1}};
  MPI_Group_range_incl(all, 1, range, &half);
  MPI_Comm_create_from_group(half, "half", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Comm_create_from_group(half, "half again", MPI_INFO_NULL, MPI_ERRORS_RETURN, &same);
  exchange(world, comm, "half");
  exchange(world, same, "half again");
  say_on(world, "%s", handler_of(comm));
  MPI_Comm_dup(comm, &copy);
  exchange(world, copy, "copy");
  MPI_Comm_free(&copy);
  MPI_Comm_split(comm, 0, -rank, &copy);
  exchange(world, copy, "split");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&same);
  MPI_Comm_free(&comm);
  int backward[1][3] = {{size - 1, 0, -1}};
  MPI_Group_range_incl(all, 1, backward, &turned);
  MPI_Comm_create_from_group(turned, "turned", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  exchange(world, comm, "turned");
  MPI_Comm_free(&comm);
  MPI_Group_incl(all, 0, NULL, &nobody);
  MPI_Comm_create_from_group(nobody, "nobody", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  say_on(world, "nobody: %s", comm == MPI_COMM_NULL ? "null" : "a communicator");
  if (rank % 2 == 0) {  // the others make no call
    int even[1][3] = {{0, size - 1, 2}};
    MPI_Group evens;
    MPI_Group_range_incl(all, 1, even, &evens);
    MPI_Comm_create_from_group(evens, "even", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    exchange(world, comm, "even");
    MPI_Comm_free(&comm);
    MPI_Group_free(&evens);
  }
  MPI_Group_free(&half);
  MPI_Group_free(&turned);
  MPI_Group_free(&all);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
  return 0;
}
