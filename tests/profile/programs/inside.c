/* SPDX-License-Identifier: BSD-3-Clause */
/* So many threads of one process wait for messages at once, for so many milliseconds. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void* receive(void* number) {
  int got;
  MPI_Recv(&got, 1, MPI_INT, 0, (int)(size_t)number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 3);
  const int threads = atoi(argv[1]);
  pthread_t started[8];
  for (int i = 0; i < threads; ++i) pthread_create(&started[i], NULL, receive, (void*)(size_t)i);
  usleep((useconds_t)atoi(argv[2]) * 1000);
  for (int i = 0; i < threads; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  MPI_Finalize();
  return 0;
}
