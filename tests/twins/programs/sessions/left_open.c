// SPDX-License-Identifier: BSD-3-Clause
// A rank ends with a session that it has not finalised, while the others wait for its message: the job ends.
// status: nonzero: launchers differ
// output: ignored: the others are ended
#include "sessions.h"

int main(void) {
  MPI_Session session = begin();
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "all");
  int got;
  if (rank_of(comm) == 0) exit(3);
  MPI_Recv(&got, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
