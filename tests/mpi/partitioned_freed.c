// SPDX-License-Identifier: BSD-3-Clause
// Communicators that are attached, and freed: MPI_Comm_free waits for nobody (MPI-4.1 section 7.4.3), requests that are
// left go on, and nothing is lost for good. A plain program; with RADDLE_PARTITIONED=1 all its communicators are
// attached.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

/* What another process does only afterwards must not be needed for a free. */
static void tell(int tag) {
  for (int to = 1; to < size; ++to) MPI_Send(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void hear(int tag) { MPI_Recv(&(int){0}, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void freed_before_others(void) {
  MPI_Comm one;
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (rank == 0) {
    MPI_Comm_free(&one);
    tell(1);
    MPI_Comm_free(&other);
  } else {
    hear(1);
    MPI_Comm_free(&other);
    MPI_Comm_free(&one);
  }
}

/* Another process is in a call on the communicator for as long as this one has not freed it. */
static void freed_while_others_receive(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == 0) {
    MPI_Request sent[64];
    for (int to = 1; to < size; ++to) MPI_Isend(&rank, 1, MPI_INT, to, 2, comm, &sent[to - 1]);
    MPI_Comm_free(&comm);
    tell(1);
    MPI_Waitall(size - 1, sent, MPI_STATUSES_IGNORE);
  } else {
    hear(1);
    MPI_Recv(&(int){0}, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
  }
}

static void freed_while_made(void) {
  MPI_Comm comm;
  MPI_Request making;
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &making);
  MPI_Wait(&making, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
}

#if MPI_VERSION >= 4
/* Requests are used after their communicator has been freed. @return what arrived wrong */
static int freed_before_requests(int count) {
  enum { partitions = 4 };
  int wrong = 0;
  MPI_Comm comm;
  MPI_Request request[2];
  const size_t bytes = sizeof(int) * partitions * (size_t)count;
  int* const sent = malloc(bytes);
  int* const got = malloc(bytes);
  const int to = (rank + 1) % size;
  const int from = (rank + size - 1) % size;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Psend_init(sent, partitions, count, MPI_INT, to, 0, comm, MPI_INFO_NULL, &request[0]);
  MPI_Precv_init(got, partitions, count, MPI_INT, from, 0, comm, MPI_INFO_NULL, &request[1]);
  if (rank == 0) {
    MPI_Comm_free(&comm);
    tell(1);
  } else {
    hear(1);
    MPI_Comm_free(&comm);
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < partitions * count; ++i) {
      sent[i] = rank * 1000 + round * 100 + i % 100;
      got[i] = -1;
    }
    MPI_Startall(2, request);
    for (int partition = 0; partition < partitions; ++partition) MPI_Pready(partition, request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < partitions * count; ++i) wrong += got[i] != from * 1000 + round * 100 + i % 100;
  }
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
  free(sent);
  free(got);
  return wrong;
}

/* Errors of such a request go to the handler that the communicator had. */
static int heard;

static void listen(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++heard;
}

static int error_after_free(void) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Errhandler handler;
  int buffer = 0;
  MPI_Comm_create_errhandler(listen, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Psend_init(&buffer, 1, 1, MPI_INT, rank, 0, comm, MPI_INFO_NULL, &request);
  MPI_Comm_free(&comm);
  heard = 0;
  MPI_Pready(0, request); /* it is not active */
  MPI_Request_free(&request);
  MPI_Errhandler_free(&handler);
  return heard != 1;
}
#endif

/* More than an MPI has at a time. */
static void again_and_again(int times) {
  for (int i = 0; i < times; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
  }
}

static void parted(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_disconnect(&comm);
}

int main(int argc, char** argv) {
  int provided = 0;
  int wrong = 0;
  int all = 0;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int use = 0; use < 3; ++use) {
    freed_before_others();
    freed_while_others_receive();
    freed_while_made();
#if MPI_VERSION >= 4
    wrong += freed_before_requests(10) + freed_before_requests(100000);
    if (getenv("RADDLE_PARTITIONED") && *getenv("RADDLE_PARTITIONED") == '1') wrong += error_after_free();
#endif
    MPI_Barrier(MPI_COMM_WORLD);
  }
  again_and_again(size > 2 ? 100 : 1200);
  parted();
  MPI_Comm kept;
  MPI_Comm_dup(MPI_COMM_WORLD, &kept); /* and not freed */
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s %d\n", all == 0 ? "all freed" : "wrong:", all);
  MPI_Finalize();
  return all != 0;
}
