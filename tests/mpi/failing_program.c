// SPDX-License-Identifier: BSD-3-Clause
// Partitioned messages to itself and to the next process; errors of requests are returned.
#include <mpi.h>
#include <raddle/raddle.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int provided = 0;
  int rank = 0;
  int size = 0;
  int sent[8] = {0};
  int got[8];
  int code = MPI_SUCCESS;
  MPI_Request request[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Raddle_Partitioned_attach(MPI_COMM_WORLD);
  Raddle_Psend_init(sent, 2, 4, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
  Raddle_Precv_init(got, 2, 4, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
  MPI_Startall(2, request);
  Raddle_Pready(0, request[0]);
  Raddle_Pready(1, request[0]);
  code = MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  printf("send: %s\n", code == MPI_SUCCESS ? "well" : "failed");
  fflush(stdout);
  if (code != MPI_SUCCESS) {
    usleep(200000);               /* mpiexec may end before it has passed on what was said */
    MPI_Abort(MPI_COMM_WORLD, 3); /* nothing will come */
  }
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
  MPI_Finalize();
  return 0;
}
