// SPDX-License-Identifier: BSD-3-Clause
// An intercommunicator of two groups of a session: messages, a collective, and what it is merged to (MPI-4.1 7.6.2).
// ranks: 4
#include "sessions.h"

int main(void) {
  MPI_Session session = begin();
  MPI_Group all = group_of(session, "mpi://WORLD"), low, high;
  MPI_Comm inter, merged, world = comm_of(session, "mpi://WORLD", "all");
  const int rank = rank_of(world), size = size_of(world), upper = rank >= 1;
  int first[1][3] = {{0, 0, 1}}, rest[1][3] = {{1, size - 1, 1}}, remote = -1, got = -1, sum = 0;
  MPI_Group_range_incl(all, 1, first, &low);
  MPI_Group_range_incl(all, 1, rest, &high);
  MPI_Intercomm_create_from_groups(upper ? high : low, upper ? size - 2 : 0, upper ? low : high, upper ? 0 : size - 2,
                                   "both", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter);
  MPI_Comm_remote_size(inter, &remote);
  say_on(world, "rank %d of %d, and %d; %s", rank_of(inter), size_of(inter), remote, handler_of(inter));
  if (upper)
    MPI_Send(&rank, 1, MPI_INT, 0, rank, inter);
  else
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&got, 1, MPI_INT, i - 1, i, inter, MPI_STATUS_IGNORE);
      say_on(world, "got %d", got);
    }
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
  say_on(world, "sum of the others: %d", sum);
  MPI_Intercomm_merge(inter, !upper, &merged);
  say_on(world, "merged: %d of %d", rank_of(merged), size_of(merged));
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Group_free(&low);
  MPI_Group_free(&high);
  MPI_Group_free(&all);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
  return 0;
}
