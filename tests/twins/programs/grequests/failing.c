// SPDX-License-Identifier: BSD-3-Clause
// A query function that returns an error: the call that asks returns it (MPI-4.1 13.2).
// args: wait | all
#include "grequests.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  State bad = {1, MPI_ERR_NO_SPACE, 0, 0};
  MPI_Request requests[3] = {started(&bad)};
  MPI_Status statuses[3] = {0};
  MPI_Grequest_complete(requests[0]);
  if (is_arg(argc, argv, "wait")) {
    say("wait: %d", class_of(MPI_Wait(&requests[0], &statuses[0])) == MPI_ERR_NO_SPACE);
  } else {
    int got;
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[2]);
    const int code = MPI_Waitall(3, requests, statuses);
    say("in status: %d, of it: %d", class_of(code) == MPI_ERR_IN_STATUS, statuses[0].MPI_ERROR != MPI_SUCCESS);
    MPI_Waitall(2, &requests[1], MPI_STATUSES_IGNORE);
    say("got %d", got);
  }
  MPI_Finalize();
  return 0;
}
