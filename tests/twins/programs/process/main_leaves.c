// SPDX-License-Identifier: BSD-3-Clause
// A thread goes on after main has called pthread_exit(): the process ends with it.
#include <pthread.h>

#include "../twin.h"

static int rank = -1;

static void at_end(void) {
  if (rank == 0) printf("atexit\n");  // some launchers mix what processes write as they end
}

static void* go_on(void* of) {
  pthread_join(*(pthread_t*)of, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  say("goes on");
  MPI_Finalize();
  return NULL;
}

int main(int argc, char** argv) {
  static pthread_t own;
  pthread_t thread;
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  rank = rank_of(MPI_COMM_WORLD);
  own = pthread_self();
  atexit(at_end);
  pthread_create(&thread, NULL, go_on, &own);
  pthread_exit(NULL);
}
