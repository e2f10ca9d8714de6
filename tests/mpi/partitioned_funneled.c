/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads make partitions ready where only one of them may call the MPI: what they complete leaves by the one that has
 * started the request (docs/use/partitioned.md, "Threads").
 *
 *     partitioned_funneled [gaps]
 *
 * gaps: of a datatype that has some. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <raddle/raddle.h>
#include <stdio.h>

enum { partitions = 64, each = 4096, words = partitions * each, rounds = 20, most_ints = 2 };

static int out[words * most_ints];
static int in[words * most_ints];
static int ints = 1; /* from one element to the next */
static pthread_t main_thread;

/* Raddle asks the MPI so whether a datatype may be used. */
int PMPI_Pack(const void* from, int count, MPI_Datatype type, void* to, int size, int* position, MPI_Comm comm) {
  typedef int Pack(const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm);
  if (!pthread_equal(pthread_self(), main_thread)) {
    fprintf(stderr, "partitioned_funneled: the MPI is asked by another thread\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return ((Pack*)dlsym(RTLD_NEXT, "PMPI_Pack"))(from, count, type, to, size, position, comm);
}

struct Work {
  MPI_Request request;
  int round;
  int failures;
};

static int word(int rank, int round, int i) { return (rank + 1) * 1000003 + round * 7919 + i; }

static void make_ready(const struct Work* work, int rank, int first) {
  for (int partition = first; partition < partitions; partition += 2) {
    for (int i = partition * each; i < (partition + 1) * each; ++i) out[i * ints] = word(rank, work->round, i);
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
  MPI_Datatype type;
  main_thread = pthread_self();
  if (argc > 1) ints = most_ints;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Raddle_Partitioned_attach(MPI_COMM_WORLD);
  const int next = (own_rank + 1) % size;
  const int before = (own_rank + size - 1) % size;
  MPI_Request requests[2];
  MPI_Type_create_resized(MPI_INT, 0, ints * (MPI_Aint)sizeof(int), &type);
  MPI_Type_commit(&type);
  Raddle_Psend_init(out, partitions, each, type, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  Raddle_Precv_init(in, partitions / 4, each * 4, type, before, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Type_free(&type);
  struct Work work = {requests[0], 0, 0};
  for (work.round = 0; work.round < rounds; ++work.round) {
    MPI_Startall(2, requests);
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, &work);
    if (work.round == 0) { /* the other thread is the first that packs */
      pthread_join(thread, NULL);
      make_ready(&work, own_rank, 0);
    } else {
      make_ready(&work, own_rank, 0);
      pthread_join(thread, NULL);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < words; ++i) work.failures += in[i * ints] != word(before, work.round, i);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Allreduce(MPI_IN_PLACE, &work.failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (own_rank == 0) printf("partitioned_funneled: %s\n", work.failures == 0 ? "all good" : "wrong data");
  MPI_Finalize();
  return work.failures != 0;
}
