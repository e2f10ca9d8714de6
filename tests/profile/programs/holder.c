/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of the program that the MPI calls sleeps, while another thread calls the MPI: where the MPI holds a lock
 * meanwhile, the other one waits for it. Says how long each call took. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static useconds_t asleep;
static int waits[2];

static void tell(void) { (void)!write(waits[1], "", 1); }

static void slow(void* in, void* out, int* count, MPI_Datatype* type) {
  (void)in, (void)out, (void)count, (void)type;
  tell();
  usleep(asleep);
}

static int slow_delete(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  tell();
  usleep(asleep);
  return MPI_SUCCESS;
}

static const char* how;
static int quick; /* a key whose function does nothing */

static void* other(void* none) {
  char byte;
  (void)!read(waits[0], &byte, 1);
  const double began = MPI_Wtime();
  if (strcmp(how, "op") == 0) {
    int one = 1, two = 2;
    MPI_Reduce_local(&one, &two, 1, MPI_INT, MPI_SUM);
  }
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Comm_set_attr(MPI_COMM_WORLD, quick, NULL);
  printf("waited %.6f\n", MPI_Wtime() - began);
  return none;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  how = argv[1];
  asleep = (useconds_t)atoi(argv[2]) * 1000;
  if (provided != MPI_THREAD_MULTIPLE || pipe(waits) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &quick, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  if (strcmp(how, "op") == 0) {
    MPI_Op op;
    int one = 1, two = 2;
    MPI_Op_create(slow, 1, &op);
    MPI_Reduce_local(&one, &two, 1, MPI_INT, op);
    MPI_Op_free(&op);
  } else {
    int key;
    MPI_Comm dup;
    MPI_Comm_dup(MPI_COMM_SELF, &dup);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, slow_delete, &key, NULL);
    MPI_Comm_set_attr(dup, key, NULL);
    MPI_Comm_delete_attr(dup, key);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&dup);
  }
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
