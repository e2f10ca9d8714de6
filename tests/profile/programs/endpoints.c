/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes, each with two threads that are endpoints: rank 3 of the four comes late to each barrier, and to each
 * send to rank 0, by as many milliseconds as are given. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int MPIX_Comm_create_endpoints(MPI_Comm parent, int count, MPI_Info info, MPI_Comm made[]) __attribute__((weak));

static useconds_t late;

static void* run(void* of) {
  MPI_Comm comm = *(MPI_Comm*)of;
  int rank;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < 10; ++i) {
    if (rank == 3) usleep(late);
    MPI_Barrier(comm);
  }
  for (int i = 0; i < 10; ++i) {
    char byte = 0;
    if (rank == 3) usleep(late);
    if (rank == 3) MPI_Send(&byte, 1, MPI_CHAR, 0, 1, comm);
    if (rank == 0) MPI_Recv(&byte, 1, MPI_CHAR, 3, 1, comm, MPI_STATUS_IGNORE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  late = (useconds_t)atoi(argv[1]) * 1000;
  MPI_Comm first[2], second[2];
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, first);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, second);
  pthread_t thread;
  pthread_create(&thread, NULL, run, &second[1]);
  run(&second[0]);
  pthread_join(thread, NULL);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&first[i]);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&second[i]);
  MPI_Finalize();
  return 0;
}
