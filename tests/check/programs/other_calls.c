/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that are broken, or kept, by other calls than those that come to mind; the first argument names which. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static pthread_barrier_t turn;

/* the first collective call of all makes the communicator */
static void first_made(void) {
  int number = 0;
  MPI_Comm made;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  MPI_Ibcast(&number, 1, MPI_INT, rank, made, &request); /* roots differ */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&made);
}

static void exchanged(void) {
  int numbers[4] = {0}, sent[2] = {1, 2};
  MPI_Request request;
  MPI_Irecv(numbers, 4, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
  MPI_Sendrecv(sent, 2, MPI_INT, rank, 1, numbers, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(sent, 2, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void matched(void) {
  int numbers[4] = {0}, sent[2] = {1, 2};
  MPI_Request request, sends[2];
  MPI_Message message;
  MPI_Irecv(numbers, 4, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
  MPI_Isend(sent, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, &sends[0]);
  MPI_Mprobe(rank, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(numbers, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Isend(sent, 2, MPI_INT, rank, 0, MPI_COMM_WORLD, &sends[1]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

static void next(void) { MPI_Recv(NULL, 0, MPI_INT, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void* receives(void* none) {
  pthread_barrier_wait(&turn);
  next(); /* what the other thread has seen */
  MPI_Probe(rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  next();
  pthread_barrier_wait(&turn);
  return none;
}

/* each message is seen by one thread */
static void handed_over(void) {
  pthread_t other;
  MPI_Request sends[3];
  for (int i = 0; i < 3; ++i) MPI_Isend(NULL, 0, MPI_INT, rank, 5, MPI_COMM_WORLD, &sends[i]);
  pthread_barrier_init(&turn, NULL, 2);
  pthread_create(&other, NULL, receives, NULL);
  MPI_Probe(rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  next();
  pthread_join(other, NULL);
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
}

static void many(void) {
  enum { all = 66000 };
  MPI_Request* const requests = malloc(all * sizeof *requests);
  char* const bytes = malloc(all);
  for (int i = 0; i < all; ++i) MPI_Irecv(bytes + i, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < all; ++i) MPI_Send("", 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD);
  MPI_Waitall(all, requests, MPI_STATUSES_IGNORE);
  free(bytes);
  free(requests);
}

static void merged(void) {
  MPI_Comm both, made;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &both);
  MPI_Intercomm_merge(both, rank, &made);
  MPI_Comm_free(&both);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } all[] = {{"first-made", first_made},   {"exchanged", exchanged}, {"matched", matched},
             {"handed-over", handed_over}, {"many", many},           {"merged", merged}};
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; argc > 1 && i < sizeof all / sizeof *all; ++i)
    if (strcmp(argv[1], all[i].name) == 0) all[i].run();
  MPI_Finalize();
  return 0;
}
