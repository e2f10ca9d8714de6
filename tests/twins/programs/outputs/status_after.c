// SPDX-License-Identifier: BSD-3-Clause
// Statuses of null and inactive requests, of MPI_PROC_NULL, and of calls without a status: what is empty (MPI-4.1 3.7.3).
#include "../twin.h"

static void show(const char* what, const MPI_Status* status) {
  int n = -1, cancelled = -1;
  MPI_Get_count(status, MPI_INT, &n);
  MPI_Test_cancelled(status, &cancelled);
  say("%s: any source %d, any tag %d, null %d, count %d, cancelled %d", what, status->MPI_SOURCE == MPI_ANY_SOURCE,
      status->MPI_TAG == MPI_ANY_TAG, status->MPI_SOURCE == MPI_PROC_NULL, n, cancelled);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL;
  int v = 0, flag = 0, index = 0, n = 0;
  MPI_Wait(&request, &status);
  show("MPI_Wait of a null request", &status);
  MPI_Test(&request, &flag, &status);
  show("MPI_Test of a null request", &status);
  MPI_Waitany(1, &request, &index, &status);
  say("index undefined: %d", index == MPI_UNDEFINED);
  MPI_Waitsome(1, &request, &n, &index, &status);
  say("number undefined: %d", n == MPI_UNDEFINED);
  MPI_Recv_init(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  show("MPI_Wait of an inactive request", &status);
  MPI_Request_get_status(request, &flag, &status);
  say("MPI_Request_get_status: %d", flag);
  MPI_Request_free(&request);
  MPI_Recv(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  show("MPI_Recv from MPI_PROC_NULL", &status);
  MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  show("MPI_Irecv from MPI_PROC_NULL", &status);
  MPI_Finalize();
  return 0;
}
