/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes that call what they call a known number of times, with known sizes. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;
static MPI_Comm comms[2];

static void* exchange(void* number) {
  const int thread = (int)(size_t)number;
  double buffer[100] = {0}, received[100];
  const MPI_Comm comm = comms[thread];
  for (int i = 0; i < 50 * (thread + 1); ++i) {
    MPI_Request request;
    MPI_Irecv(received, 100, MPI_DOUBLE, 1 - rank, thread, comm, &request);
    MPI_Send(buffer, 10 * thread, MPI_DOUBLE, 1 - rank, thread, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_set_name(comms[1], "second");
  pthread_t thread;
  pthread_create(&thread, NULL, exchange, (void*)1);
  exchange((void*)0);
  pthread_join(thread, NULL);

  int values[4] = {0}, sums[4];
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < 5; ++i) MPI_Allreduce(values, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(values, 2, pair, 0, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
  MPI_Alltoall(values, 2, MPI_INT, sums, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Scatter(values, 2, MPI_INT, sums, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Status status;
    for (int i = 0; i < 2; ++i) MPI_Recv(values, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Request request;
    MPI_Irecv(values, 4, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(values, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Send(values, 3, MPI_INT, 0, 4, MPI_COMM_WORLD);
    MPI_Send(values, 2, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Request persistent;
  if (rank == 0) MPI_Send_init(values, 4, MPI_INT, 1, 6, MPI_COMM_WORLD, &persistent);
  if (rank == 1) MPI_Recv_init(values, 4, MPI_INT, 0, 6, MPI_COMM_WORLD, &persistent);
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&persistent);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  MPI_Finalize();
  return 0;
}
