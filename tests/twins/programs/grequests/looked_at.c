// SPDX-License-Identifier: BSD-3-Clause
// MPI_Request_get_status asks, and leaves the request; MPI_Request_free leaves it to MPI_Grequest_complete
// (MPI-4.1 3.7.6 and 13.2).
#include "grequests.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  State looked = {1, MPI_SUCCESS, 0, 0}, freed = {2, MPI_SUCCESS, 0, 0}, done = {3, MPI_SUCCESS, 0, 0};
  MPI_Request request = started(&looked), kept = started(&freed), last = started(&done);
  MPI_Status status;
  int flag = -1;
  MPI_Request_get_status(request, &flag, &status);
  say("before: %d", flag);
  MPI_Grequest_complete(request);
  MPI_Request_get_status(request, &flag, &status);
  say("complete: %d, null: %d", flag, request == MPI_REQUEST_NULL);
  tell("looked", &status);
  MPI_Wait(&request, &status);
  tell("waited", &status);
  MPI_Request handle = kept;
  MPI_Request_free(&kept);
  say("freed");
  MPI_Grequest_complete(handle);
  say("completed");
  MPI_Grequest_complete(last);
  MPI_Request_free(&last);
  MPI_Finalize();
  return 0;
}
