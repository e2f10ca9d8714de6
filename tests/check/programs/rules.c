/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks one rule of MPI, which the first argument names, or with a second argument does the like and breaks none.
 * What breaks it stands on lines marked with the rule's name. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int rank, quiet;
static MPI_Comm world, own;
static MPI_Request request;
static pthread_barrier_t both; /* threads of this process */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void start(int level) {
  int provided;
  MPI_Init_thread(NULL, NULL, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (provided != level) {
    if (rank == 0) printf("not provided\n");
    MPI_Finalize();
    exit(0);
  }
  world = MPI_COMM_WORLD;
}

static void beside(void* (*what)(void*)) {
  pthread_t other;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&other, NULL, what, NULL);
  what(&other);
  pthread_join(other, NULL);
}

/* a handler of the program's, inside a call of the MPI */
static int sleeps(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  usleep(800000);
  return MPI_SUCCESS;
}

static void* rank_of(void* none) {
  int it;
  MPI_Comm_rank(MPI_COMM_SELF, &it); /* thread-level */
  return none;
}

static void* asks(void* none) {
  int flag;
  MPI_Initialized(&flag);
  MPI_Is_thread_main(&flag);
  MPI_Query_thread(&flag);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_free(&info);
  return none;
}

static void level(void) {
  start(MPI_THREAD_FUNNELED);
  pthread_t other;
  pthread_create(&other, NULL, quiet ? asks : rank_of, NULL);
  pthread_join(other, NULL);
}

static void* iprobes(void* none) {
  int flag;
  pthread_barrier_wait(&both);
  for (int i = 0; i < 200; ++i) {
    if (quiet) pthread_mutex_lock(&guard);
    MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* serialized */
    if (quiet) pthread_mutex_unlock(&guard);
  }
  return none;
}

static void* serial(void* main_thread) {
  if (quiet) return iprobes(main_thread);
  int key;
  MPI_Comm comm;
  if (main_thread) {
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sleeps, &key, NULL);
    MPI_Comm_set_attr(comm, key, NULL);
    pthread_barrier_wait(&both);
    MPI_Comm_free(&comm); /* serialized */
    MPI_Comm_free_keyval(&key);
  } else {
    pthread_barrier_wait(&both);
    usleep(300000);
    MPI_Get_processor_name((char[MPI_MAX_PROCESSOR_NAME]){0}, &key); /* serialized */
  }
  return NULL;
}

static void serialized(void) {
  start(MPI_THREAD_SERIALIZED);
  beside(serial);
}

static void* barrier(void* main_thread) {
  if (rank == 1 && !main_thread) usleep(200000);
  if (rank == 1) usleep(200000);                    /* both threads of the other process are inside by now */
  MPI_Barrier(quiet && !main_thread ? own : world); /* collectives-at-once */
  return NULL;
}

static void collectives(void) {
  start(MPI_THREAD_MULTIPLE);
  MPI_Comm_dup(world, &own);
  beside(barrier);
  MPI_Comm_free(&own);
}

static MPI_Request mine[2];

static void* waits(void* main_thread) {
  pthread_barrier_wait(&both);
  if (quiet)
    MPI_Wait(&mine[main_thread != NULL], MPI_STATUS_IGNORE);
  else if (main_thread)
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* request-twice */
  else {                                   /* the other one comes meanwhile, and the message after that */
    for (int i = 0; i < 50; ++i) {
      int flag = 0;
      MPI_Request copies[1] = {request};
      usleep(10000);
      MPI_Testall(1, copies, &flag, MPI_STATUSES_IGNORE); /* request-twice */
    }
    MPI_Send(NULL, 0, MPI_INT, 1, 9, world);
  }
  return NULL;
}

static void requests(void) {
  start(MPI_THREAD_MULTIPLE);
  int numbers[3] = {0};
  if (rank == 0) {
    MPI_Irecv(&numbers[0], 1, MPI_INT, 1, 0, world, &request);
    MPI_Irecv(&numbers[1], 1, MPI_INT, 1, 1, world, &mine[0]);
    MPI_Irecv(&numbers[2], 1, MPI_INT, 1, 2, world, &mine[1]);
    beside(waits);
    if (quiet)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    else
      MPI_Waitall(2, mine, MPI_STATUSES_IGNORE);
  } else {
    if (!quiet) MPI_Recv(NULL, 0, MPI_INT, 0, 9, world, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) MPI_Send(&numbers[i], 1, MPI_INT, 0, i, world);
  }
}

static void* isends(void* main_thread) {
  int number = 0;
  for (int i = 0; i < 500; ++i) {
    MPI_Request one;
    MPI_Isend(&number, 1, MPI_INT, main_thread ? 1 - rank : MPI_PROC_NULL, 7, world, &one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
  }
  return NULL;
}

/* Many requests that are complete at once, and may all have one handle: no rule is broken. */
static void complete(void) {
  start(MPI_THREAD_MULTIPLE);
  int number;
  beside(isends);
  for (int i = 0; i < 500; ++i) MPI_Recv(&number, 1, MPI_INT, 1 - rank, 7, world, MPI_STATUS_IGNORE);
}

static void* probes(void* main_thread) {
  MPI_Status status;
  int number;
  if (quiet) {
    MPI_Message message;
    MPI_Mprobe(1, MPI_ANY_TAG, world, &message, &status);
    MPI_Mrecv(&number, 1, MPI_INT, &message, &status);
    pthread_mutex_lock(&guard);
    MPI_Probe(1, MPI_ANY_TAG, world, &status);
    MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, world, &status);
    pthread_mutex_unlock(&guard);
    return NULL;
  }
  (void)main_thread;
  for (int i = 0; i < 2; ++i) {
    MPI_Probe(1, MPI_ANY_TAG, world, &status);
    pthread_barrier_wait(&both);
    MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, world, &status); /* probe-overtaken */
  }
  return NULL;
}

static void probing(void) {
  start(MPI_THREAD_MULTIPLE);
  int number = 0;
  if (rank == 0)
    beside(probes);
  else
    for (int i = 0; i < 4; ++i) MPI_Send(&number, 1, MPI_INT, 0, 3, world);
}

static void buffers(void) {
  start(MPI_THREAD_SINGLE);
  int numbers[4] = {0};
  MPI_Request both_of[2];
  if (rank == 0) {
    MPI_Irecv(numbers, 2, MPI_INT, 1, 0, world, &both_of[0]);                   /* buffer-twice */
    MPI_Irecv(numbers + (quiet ? 2 : 1), 2, MPI_INT, 1, 1, world, &both_of[1]); /* buffer-twice */
    MPI_Waitall(2, both_of, MPI_STATUSES_IGNORE);
    MPI_Irecv(numbers, 2, MPI_INT, 1, 2, world, &both_of[0]);
    MPI_Wait(&both_of[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i) MPI_Isend(numbers, 4, MPI_INT, 1, i, world, &both_of[i]);
    MPI_Waitall(2, both_of, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < 3; ++i) MPI_Send(numbers, 2, MPI_INT, 0, i, world);
    for (int i = 0; i < 2; ++i) MPI_Recv(numbers, 4, MPI_INT, 0, i, world, MPI_STATUS_IGNORE);
  }
}

/* Messages that each sends itself; the noise of all this is what the quiet one makes, too. */
static void freed(void) {
  start(MPI_THREAD_SINGLE);
  int number = rank;
  int* one = malloc(1000 * sizeof *one);
  int* two = malloc(1000 * sizeof *two);
  int* three = NULL;
  MPI_Alloc_mem(1000 * sizeof *three, MPI_INFO_NULL, &three);
  int* four = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MPI_Request requests[4];
  MPI_Irecv(one + 10, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]); /* buffer-freed */
  MPI_Irecv(two, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);      /* buffer-freed */
  MPI_Irecv(three, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[2]);    /* buffer-freed */
  MPI_Irecv(four, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &requests[3]);     /* buffer-freed */
  free(malloc(1000));
  for (int i = 0; i < (quiet ? 4 : 0); ++i) MPI_Send(&number, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
  if (quiet) MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  free(one);                   /* buffer-freed */
  two = realloc(two, 4 << 20); /* buffer-freed */
  MPI_Free_mem(three);         /* buffer-freed */
  munmap(four, 4096);          /* buffer-freed */
  for (int i = 0; i < (quiet ? 0 : 4); ++i) {
    MPI_Cancel(&requests[i]); /* nothing is written to what has gone */
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
  free(two);
}

static void left(void) {
  start(MPI_THREAD_SINGLE);
  MPI_Datatype pair;
  int numbers[2];
  MPI_Comm_dup(world, &own);              /* communicator-left */
  MPI_Type_contiguous(2, MPI_INT, &pair); /* datatype-left */
  MPI_Type_commit(&pair);
  MPI_Irecv(numbers, 2, MPI_INT, rank, 5, world, &request); /* request-left */
  if (!quiet) return;
  MPI_Comm_free(&own);
  MPI_Type_free(&pair);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void* receives(void* none) {
  int number;
  MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* in-finalize */
  return none;
}

static void finalize(void) {
  start(MPI_THREAD_MULTIPLE);
  int number = 0;
  pthread_t other;
  pthread_create(&other, NULL, receives, NULL);
  usleep(200000);
  if (quiet) {
    MPI_Send(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    pthread_join(other, NULL);
  }
}

static void after(void) {
  int flag;
  MPI_Initialized(&flag);
  start(MPI_THREAD_SINGLE);
  MPI_Finalize();
  MPI_Finalized(&flag);
  if (!quiet) MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* after-finalize */
  exit(0);
}

static void before(void) {
  if (!quiet) MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* before-init */
  start(MPI_THREAD_SINGLE);
}

static void order(void) {
  start(MPI_THREAD_SINGLE);
  int number = 0;
  MPI_Comm half, twin;
  MPI_Comm_split(world, rank, 0, &half);
  MPI_Comm_dup(world, &twin);
  if (rank == 0) MPI_Barrier(half);                       /* of each process alone */
  MPI_Bcast(&number, 1, MPI_INT, quiet ? 0 : rank, twin); /* order */
  MPI_Barrier(twin);
  MPI_Comm_free(&half);
  MPI_Comm_free(&twin);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } all[] = {
      {"thread-level", level},
      {"serialized", serialized},
      {"collectives-at-once", collectives},
      {"request-twice", requests},
      {"complete", complete},
      {"probe-overtaken", probing},
      {"buffer-twice", buffers},
      {"buffer-freed", freed},
      {"left", left},
      {"in-finalize", finalize},
      {"after-finalize", after},
      {"before-init", before},
      {"order", order},
  };
  quiet = argc > 2;
  for (unsigned i = 0; argc > 1 && i < sizeof all / sizeof *all; ++i) {
    if (strcmp(argv[1], all[i].name) == 0) {
      all[i].run();
      MPI_Finalize();
      return 0;
    }
  }
  return 2;
}
