/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads take turns at the MPI: what some have started, another one waits for, while they make partitions ready
 * (docs/use/partitioned.md, "Threads"). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <raddle/raddle.h>
#include <stdatomic.h>
#include <stdio.h>

enum { threads = 2, partitions = 64, each = 64, words = partitions * each, rounds = 200 };

static atomic_int inside; /* the MPI */
static atomic_int failures;

typedef int Start(MPI_Request*);
typedef int Testsome(int, MPI_Request[], int*, int[], MPI_Status[]);

int PMPI_Start(MPI_Request* request) {
  if (atomic_fetch_add(&inside, 1) != 0) atomic_fetch_add(&failures, 1);
  const int code = ((Start*)dlsym(RTLD_NEXT, "PMPI_Start"))(request);
  atomic_fetch_sub(&inside, 1);
  return code;
}

int PMPI_Testsome(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
  if (atomic_fetch_add(&inside, 1) != 0) atomic_fetch_add(&failures, 1);
  const int code = ((Testsome*)dlsym(RTLD_NEXT, "PMPI_Testsome"))(count, requests, found, indices, statuses);
  atomic_fetch_sub(&inside, 1);
  return code;
}

struct Work {
  pthread_t thread;
  int number;
  int out[words];
  int in[words];
  MPI_Request requests[2];
};

static struct Work work[threads];
static int rank, round_now;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t started;

static int word(int of, int number, int i) { return (of + 1) * 1000003 + number * 101 + round_now * 7919 + i; }

static void* begin(void* given) {
  struct Work* const own = given;
  pthread_mutex_lock(&turn);
  MPI_Startall(2, own->requests);
  pthread_mutex_unlock(&turn);
  pthread_barrier_wait(&started);
  for (int partition = 0; partition < partitions; ++partition) {
    for (int i = partition * each; i < (partition + 1) * each; ++i) own->out[i] = word(rank, own->number, i);
    if (Raddle_Pready(partition, own->requests[0]) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return NULL;
}

static void make(struct Work* own, int next, int before) {
  const int tag = own->number;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "raddle_part_policy", "none");
  Raddle_Psend_init(own->out, partitions, each, MPI_INT, next, tag, MPI_COMM_WORLD, info, &own->requests[0]);
  Raddle_Precv_init(own->in, partitions, each, MPI_INT, before, tag, MPI_COMM_WORLD, info, &own->requests[1]);
  MPI_Info_free(&info);
}

int main(int argc, char** argv) {
  int provided, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Raddle_Partitioned_attach(MPI_COMM_WORLD);
  const int before = (rank + size - 1) % size;
  pthread_barrier_init(&started, NULL, threads + 1);
  for (int i = 0; i < threads; ++i) {
    work[i].number = i;
    make(&work[i], (rank + 1) % size, before);
  }
  for (round_now = 0; round_now < rounds; ++round_now) {
    for (int i = 0; i < threads; ++i) pthread_create(&work[i].thread, NULL, begin, &work[i]);
    pthread_barrier_wait(&started);
    /* All is ready, or some of it will be while this waits. */
    if (round_now % 2 == 0)
      for (int i = 0; i < threads; ++i) pthread_join(work[i].thread, NULL);
    for (int i = 0; i < threads; ++i) MPI_Waitall(2, work[i].requests, MPI_STATUSES_IGNORE);
    if (round_now % 2 == 1)
      for (int i = 0; i < threads; ++i) pthread_join(work[i].thread, NULL);
    for (int i = 0; i < threads; ++i)
      for (int k = 0; k < words; ++k) failures += work[i].in[k] != word(before, i, k);
  }
  int all = failures;
  for (int i = 0; i < threads; ++i)
    for (int k = 0; k < 2; ++k) MPI_Request_free(&work[i].requests[k]);
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("partitioned_serialized: %s\n", all == 0 ? "all good" : "wrong");
  MPI_Finalize();
  return all != 0;
}
