// SPDX-License-Identifier: BSD-3-Clause
// A program that has sessions only: a communicator of mpi://WORLD and one of mpi://SELF, messages and collectives
// (MPI-4.1 11.3).
// ranks: 4
#include "sessions.h"

int main(void) {
  MPI_Session session = begin();
  MPI_Comm world = comm_of(session, "mpi://WORLD", "all"), self = comm_of(session, "mpi://SELF", "alone");
  const int rank = rank_of(world), size = size_of(world);
  int got = -1, sum = 0;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + size - 1) % size, 1, world,
               MPI_STATUS_IGNORE);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  say_on(world, "%d of %d, got %d, sum %d", rank, size, got, sum);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, self);
  say_on(world, "alone: %d of %d, sum %d", rank_of(self), size_of(self), sum);
  MPI_Comm_free(&self);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
  printf("%d: %s\n", rank, session == MPI_SESSION_NULL ? "null" : "not null");
  return 0;
}
