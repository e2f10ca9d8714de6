/* SPDX-License-Identifier: BSD-3-Clause */
/* More threads and more communicators than there is room for in a profile: 40 threads and 10 communicators too many. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static void* call(void* none) {
  int flag;
  MPI_Initialized(&flag);
  return none;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 256 - 1 + 40; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < 1024 - 2 + 10; ++i) {
    MPI_Comm comm;
    int size;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    if (i >= 1024 - 2 - 5) MPI_Comm_size(comm, &size);
    if (i >= 1024 - 2) MPI_Comm_size(comm, &size);
    if (i % 2 == 0) MPI_Comm_free(&comm); /* and half of them stay */
  }
  MPI_Finalize();
  return 0;
}
