// SPDX-License-Identifier: BSD-3-Clause
// A generalized request: who is called when, and the status that its query function makes (MPI-4.1 13.2).
// args: wait | test | cancel
#include "../twin.h"

static int query(void* extra, MPI_Status* status) {
  say("query of %d", *(int*)extra);
  MPI_Status_set_elements(status, MPI_INT, 7);
  MPI_Status_set_cancelled(status, *(int*)extra < 0);
  status->MPI_SOURCE = 3;
  status->MPI_TAG = 4;
  return MPI_SUCCESS;
}

static int release(void* extra) {
  say("free of %d", *(int*)extra);
  return MPI_SUCCESS;
}

static int cancel(void* extra, int complete) {
  say("cancel of %d, complete: %d", *(int*)extra, complete);
  if (!complete) *(int*)extra = -1;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int state = 5;
  MPI_Request request;
  MPI_Status status;
  int flag = 0, n = 0, cancelled;
  MPI_Grequest_start(query, release, cancel, &state, &request);
  if (is_arg(argc, argv, "test")) {
    MPI_Test(&request, &flag, &status);
    say("complete: %d", flag);
  }
  if (is_arg(argc, argv, "cancel")) MPI_Cancel(&request);
  MPI_Grequest_complete(request);
  while (!flag && is_arg(argc, argv, "test")) MPI_Test(&request, &flag, &status);
  if (!flag) MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  MPI_Test_cancelled(&status, &cancelled);
  say("source %d, tag %d, count %d, cancelled %d, null %d", status.MPI_SOURCE, status.MPI_TAG, n, cancelled,
      request == MPI_REQUEST_NULL);
  MPI_Finalize();
  return 0;
}
