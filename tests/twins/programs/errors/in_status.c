// SPDX-License-Identifier: BSD-3-Clause
// One of several receives is too short: MPI_Waitall says MPI_ERR_IN_STATUS, and the statuses say which (MPI-4.1 3.7.5).
// args: waitall | testall | waitsome | wait | waitany
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int rank = rank_of(MPI_COMM_WORLD);
  int v[4] = {1, 2, 3, 4}, a[4] = {0}, b[4] = {0}, code, index = -1, flag = 0, n = 0, indices[2];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(v, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(v, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Irecv(a, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_arg(argc, argv, "waitall")) {
      code = MPI_Waitall(2, requests, statuses);
      say("class %d, of each %d %d", class_of(code), class_of(statuses[0].MPI_ERROR), class_of(statuses[1].MPI_ERROR));
    } else if (is_arg(argc, argv, "testall")) {
      do code = MPI_Testall(2, requests, &flag, statuses);
      while (code == MPI_SUCCESS && !flag);
      say("class %d", class_of(code));
    } else if (is_arg(argc, argv, "waitsome")) {
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      code = MPI_Waitsome(2, requests, &n, indices, statuses);
      say("class %d, %d, index %d, of it %d", class_of(code), n, indices[0], class_of(statuses[0].MPI_ERROR));
    } else if (is_arg(argc, argv, "wait")) {
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      say("class %d", class_of(MPI_Wait(&requests[1], &statuses[1])));
    } else {
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      code = MPI_Waitany(2, requests, &index, &statuses[0]);
      say("class %d, index %d", class_of(code), index);
    }
    say("the first: %d %d %d %d", a[0], a[1], a[2], a[3]);
    say("null: %d %d", requests[0] == MPI_REQUEST_NULL, requests[1] == MPI_REQUEST_NULL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
