// SPDX-License-Identifier: BSD-3-Clause
// A thread that the program has started completes a request for which another one waits, beside a receive
// (MPI-4.1 13.2).
// args: wait | waitall
#include <pthread.h>

#include "grequests.h"

static MPI_Request request;

static void* complete(void* unused) {
  usleep(20000);
  MPI_Grequest_complete(request);
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int got = -1;
  State state = {1, MPI_SUCCESS, 0, 0};
  request = started(&state);
  MPI_Request receive, both[2];
  MPI_Status statuses[2];
  pthread_t thread;
  MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &receive);
  pthread_create(&thread, NULL, complete, NULL);
  if (is_arg(argc, argv, "waitall")) {
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    both[0] = request, both[1] = receive;
    MPI_Waitall(2, both, statuses);
    tell("waited", &statuses[0]);
  } else {
    MPI_Wait(&request, &statuses[0]);
    tell("waited", &statuses[0]);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
  }
  pthread_join(thread, NULL);
  say("got %d", got);
  MPI_Finalize();
  return 0;
}
