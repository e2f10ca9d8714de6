/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of Raddle and uses some of everything: its one argument is a file that it may write. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int good, const char* what) {
  if (good) return;
  fputs("wrong: ", stderr);
  fputs(what, stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void point_to_point(int rank, int size) {
  const int next = (rank + 1) % size;
  const int last = (rank + size - 1) % size;
  int in = -1;
  MPI_Status status;
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Irecv(&in, 1, MPI_INT, last, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): one is null */
  check(in == last, "MPI_Isend");

  MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  check(in == last && status.MPI_SOURCE == last, "MPI_Sendrecv");

  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Isend(&rank, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Mprobe(last, 4, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  check(in == last, "MPI_Mrecv");

  MPI_Send_init(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in, 1, MPI_INT, last, 5, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    in = -1;
    MPI_Startall(2, requests);
    int left = 2;
    while (left > 0) {
      int index = 0;
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
      left -= index != MPI_UNDEFINED;
    }
    check(in == last, "MPI_Startall");
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void collectives_and_communicators(int rank, int size) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_idup(half, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): it knows no MPI_Comm_idup */
  int sum = 1;
  int members = 0;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, copy);
  MPI_Comm_size(copy, &members);
  check(sum == members, "MPI_Allreduce");
  MPI_Ibarrier(copy, &request);
  for (int done = 0; !done;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);

  int* all = malloc(sizeof(int) * (size_t)size);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) check(all[i] == i, "MPI_Allgather");
  free(all);
}

static void windows(int rank, int size) {
  int mine = -1;
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  check(mine == (rank + size - 1) % size, "MPI_Put");
  MPI_Win_free(&win);
}

static void files(const char* name, int rank) {
  MPI_File file = MPI_FILE_NULL;
  int in = -1;
  check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS,
        "MPI_File_open");
  MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at_all(file, rank * (MPI_Offset)sizeof rank, &in, 1, MPI_INT, MPI_STATUS_IGNORE);
  check(in == rank, "MPI_File_read_at_all");
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  int rank = 0;
  int size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  point_to_point(rank, size);
  collectives_and_communicators(rank, size);
  windows(rank, size);
  if (argc > 1) files(argv[1], rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("all good");
  MPI_Finalize();
  return argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0; /* a second argument is the exit status */
}
