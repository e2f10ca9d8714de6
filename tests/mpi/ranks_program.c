/* SPDX-License-Identifier: BSD-3-Clause */
/* Written for processes: a ring and a sum in MPI_COMM_WORLD, variables of its own, an end by exit() or by return. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank = -1;
static int runs = 0;

static int wrong(const char* what) {
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 9);
  return 9;
}

/* A window that is never freed must not keep MPI_Finalize. */
static void leave_window(void) {
  static int memory = 0;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}

int main(int argc, char** argv) {
  int flag = 1;
  int size = 0;
  int sum = 0;
  int alone = 0;
  int from = -1;
  if (++runs != 1 || rank != -1) return wrong("variables are not its own");
  MPI_Initialized(&flag);
  if (flag) return wrong("MPI has begun before MPI_Init");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_size(MPI_COMM_SELF, &alone);
  if (argc != 2 || alone != 1) return wrong("other words, or not alone in MPI_COMM_SELF");
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (from != (rank + size - 1) % size) return wrong("heard from another one");
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size * (size - 1) / 2) return wrong("another sum");
  if (strcmp(argv[1], "leaves-a-window") == 0) leave_window();
  if (rank == 0) printf("ranks: %d\n", size);
  MPI_Finalize();
  if (rank == 1 && strcmp(argv[1], "fails") == 0) exit(3);
  if (rank % 2 == 0) exit(0);
  return 0;
}
