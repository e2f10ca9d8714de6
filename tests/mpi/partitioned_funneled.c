/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads make partitions ready where only one of them may call the MPI: what they complete leaves by the one that has
 * started the request (docs/partitioned.md, "Threads"). */
#include <mpi.h>
#include <pthread.h>
#include <raddle/raddle.h>
#include <stdio.h>

enum { partitions = 64, each = 4096, words = partitions * each, rounds = 20 };

static int out[words];
static int in[words];

struct Work {
  MPI_Request request;
  int round;
  int failures;
};

static int word(int rank, int round, int i) { return (rank + 1) * 1000003 + round * 7919 + i; }

static void make_ready(const struct Work* work, int rank, int first) {
  for (int partition = first; partition < partitions; partition += 2) {
    for (int i = partition * each; i < (partition + 1) * each; ++i) out[i] = word(rank, work->round, i);
    if (Raddle_Pready(partition, work->request) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static int own_rank;

static void* other_thread(void* work) {
  make_ready(work, own_rank, 1);
  return NULL;
}

int main(int argc, char** argv) {
  int provided = 0;
  int size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Raddle_Partitioned_attach(MPI_COMM_WORLD);
  const int next = (own_rank + 1) % size;
  const int before = (own_rank + size - 1) % size;
  MPI_Request requests[2];
  Raddle_Psend_init(out, partitions, each, MPI_INT, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  Raddle_Precv_init(in, partitions / 4, each * 4, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  struct Work work = {requests[0], 0, 0};
  for (work.round = 0; work.round < rounds; ++work.round) {
    MPI_Startall(2, requests);
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, &work);
    make_ready(&work, own_rank, 0);
    pthread_join(thread, NULL);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < words; ++i) work.failures += in[i] != word(before, work.round, i);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Allreduce(MPI_IN_PLACE, &work.failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (own_rank == 0) printf("partitioned_funneled: %s\n", work.failures == 0 ? "all good" : "wrong data");
  MPI_Finalize();
  return work.failures != 0;
}
