/* SPDX-License-Identifier: BSD-3-Clause */
/* Once the program has called MPI_Finalize, threads of Raddle's call the MPI no more: some MPIs let just one thread do
 * so from there on. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "raddle/raddle.h"

enum { partitions = 4, each = 250 };

static pthread_t program;
static atomic_int finalizing, calls;

/* In place of the MPI's, which is what partitioned receives look for messages with. */
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  typedef int Function(int, int, MPI_Comm, int*, MPI_Message*, MPI_Status*);
  static Function* next;
  if (next == NULL) next = (Function*)dlsym(RTLD_NEXT, "PMPI_Improbe");
  if (finalizing && !pthread_equal(pthread_self(), program)) ++calls;
  return next(source, tag, comm, flag, message, status);
}

static int at_the_end(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  finalizing = 1;
  usleep(60000); /* three times as long as a background thread waits between two looks */
  finalizing = 0;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static double field[partitions * each];
  MPI_Request request;
  int level, key, rank;
  program = pthread_self();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  Raddle_Partitioned_attach(MPI_COMM_WORLD);
  /* The receive is started before its sender is known, so a thread of Raddle's looks for him. */
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(3000);
    Raddle_Psend_init(field, partitions, each, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int i = 0; i < partitions; ++i) Raddle_Pready(i, request);
  } else {
    Raddle_Precv_init(field, partitions, each, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  if (calls != 0) fprintf(stderr, "rank %d: %d calls of another thread in MPI_Finalize\n", rank, calls);
  return calls == 0 ? 0 : 1;
}
