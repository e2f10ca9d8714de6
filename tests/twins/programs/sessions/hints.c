// SPDX-License-Identifier: BSD-3-Clause
// Hints: of a session, which tells the level of threads, and of a communicator; unknown ones change nothing
// (MPI-4.1 11.3.1 and 7.4.4).
#include "sessions.h"

int main(void) {
  MPI_Session session;
  MPI_Info info, used;
  char value[40] = "";
  int there = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
  MPI_Info_set(info, "twin_unknown", "1");
  MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_get_info(session, &used);
  MPI_Info_get(used, "thread_level", 39, value, &there);
  MPI_Info_free(&used);
  MPI_Group group = group_of(session, "mpi://WORLD");
  MPI_Comm comm;
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  MPI_Comm_create_from_group(group, "hints", info, MPI_ERRORS_ARE_FATAL, &comm);
  say_on(comm, "thread_level %d %s", there, value);
  int rank = rank_of(comm), sum = -1;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_get_info(comm, &used);
  MPI_Info_get(used, "twin_unknown", 39, value, &there);
  say_on(comm, "sum %d, unknown hint is kept: %d", sum, there);
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
