// SPDX-License-Identifier: BSD-3-Clause
// Several sessions at once, and one after the other: each has communicators of its own (MPI-4.1 11.3.1).
// One stays open: where a session begins after the last one has ended, MPIs fail.
#include "sessions.h"

int main(void) {
  enum { sessions = 3, rounds = 4 };
  MPI_Session open = begin();
  for (int round = 0; round < rounds; ++round) {
    MPI_Session session[sessions];
    MPI_Comm comm[sessions];
    int sums[sessions];
    for (int i = 0; i < sessions; ++i) {
      session[i] = begin();
      comm[i] = comm_of(session[i], "mpi://WORLD", "the same tag");
    }
    for (int i = sessions - 1; i >= 0; --i) {
      const int value = rank_of(comm[i]) + i + round;
      MPI_Allreduce(&value, &sums[i], 1, MPI_INT, MPI_SUM, comm[i]);
    }
    say_on(comm[0], "round %d: %d %d %d", round, sums[0], sums[1], sums[2]);
    for (int i = 0; i < sessions; ++i) {
      MPI_Comm_free(&comm[i]);
      MPI_Session_finalize(&session[i]);
    }
  }
  MPI_Session_finalize(&open);
  return 0;
}
