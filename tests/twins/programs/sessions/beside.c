// SPDX-License-Identifier: BSD-3-Clause
// A session that is there before MPI_Init and after MPI_Finalize, with a communicator that is used all the time
// (MPI-4.1 11.3).
// except: intel/*: this MPI crashes where a session is used after MPI_Finalize
#include "sessions.h"

static void exchange(MPI_Comm comm, const char* when) {
  int rank = rank_of(comm), sum = -1;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  say_on(comm, "%s: %d", when, sum);
}

int main(int argc, char** argv) {
  MPI_Session session = begin();
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "early");
  exchange(comm, "before MPI_Init");
  MPI_Init(&argc, &argv);
  MPI_Comm second = comm_of(session, "mpi://WORLD", "meanwhile");
  MPI_Group of_world, of_session = group_of(session, "mpi://WORLD");
  int likeness = -1;
  MPI_Comm_group(MPI_COMM_WORLD, &of_world);
  MPI_Group_compare(of_world, of_session, &likeness);
  say("the same group: %d", likeness == MPI_IDENT);
  MPI_Group_free(&of_world);
  MPI_Group_free(&of_session);
  exchange(comm, "between");
  exchange(MPI_COMM_WORLD, "in the world");
  MPI_Finalize();
  exchange(comm, "after MPI_Finalize");
  exchange(second, "the second");
  MPI_Comm third = comm_of(session, "mpi://WORLD", "late");
  exchange(third, "late");
  MPI_Comm_free(&third);
  MPI_Comm_free(&second);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
