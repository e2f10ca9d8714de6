/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints are there for what a program hangs on MPI_COMM_SELF for the end (MPI-4.1 section 11.2.4). */
#include <stdio.h>

#include "raddle/raddle.h"

static MPI_Comm endpoints[2];
static int passed = 0;

static int at_the_end(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  int rank, ranks, came = -1;
  MPI_Request request;
  MPI_Comm_rank(endpoints[1], &rank);
  MPI_Comm_size(endpoints[1], &ranks);
  /* From the second endpoint of a process to the first one of the next. */
  MPI_Irecv(&came, 1, MPI_INT, (rank + ranks - 2) % ranks, 7, endpoints[0], &request);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % ranks, 7, endpoints[1]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (came == (rank + ranks - 2) % ranks)
    passed = 1;
  else
    fprintf(stderr, "endpoint %d: %d came\n", rank - 1, came);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int key;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, endpoints);
  MPI_Finalize();
  if (!passed) fprintf(stderr, "nothing came in MPI_Finalize\n");
  return passed ? 0 : 1;
}
