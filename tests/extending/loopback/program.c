// SPDX-License-Identifier: BSD-3-Clause
// A program with an endpoint of its own, whatever engine that has.
#include <mpi.h>
#include <raddle/raddle.h>
#include <stdio.h>
#include <string.h>

#define CHECK(what)                                 \
  if (!(what)) {                                    \
    printf("program.c: %d: %s\n", __LINE__, #what); \
    MPI_Abort(MPI_COMM_WORLD, 1);                   \
  }

static void messages(MPI_Comm comm) {
  int got = 0, flag = 0, count = 0;
  MPI_Status status;
  CHECK(MPI_Send(&(int){1}, 1, MPI_INT, 0, 4, comm) == MPI_SUCCESS);
  CHECK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status) == MPI_SUCCESS && flag && status.MPI_TAG == 4);
  CHECK(MPI_Recv(&got, 1, MPI_INT, 0, 4, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS && got == 1);
  MPI_Request both[2];
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &both[0]);
  MPI_Issend(&(int){2}, 1, MPI_INT, 0, 5, comm, &both[1]);
  MPI_Status statuses[2];
  CHECK(MPI_Waitall(2, both, statuses) == MPI_SUCCESS && got == 2 && statuses[0].MPI_TAG == 5);
  MPI_Datatype column;
  MPI_Type_vector(3, 1, 2, MPI_INT, &column);
  MPI_Type_commit(&column);
  int from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {0};
  MPI_Sendrecv(from, 1, column, 0, 6, to, 1, column, 0, 6, comm, &status);
  MPI_Get_count(&status, column, &count);
  CHECK(count == 1 && to[0] == 1 && to[1] == 0 && to[2] == 3 && to[4] == 5);
  MPI_Type_free(&column);
  MPI_Send_init(&(int){7}, 1, MPI_INT, 0, 8, comm, &both[0]);
  MPI_Recv_init(&got, 1, MPI_INT, 0, 8, comm, &both[1]);
  for (int round = 0; round < 3; ++round) {
    got = 0;
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    CHECK(got == 7);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm, copy;
  MPIX_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &comm);
  messages(comm);
  MPI_Comm_dup(comm, &copy);
  messages(copy);
  int sum = 0;
  MPI_Allreduce(&(int){3}, &sum, 1, MPI_INT, MPI_SUM, copy);
  CHECK(sum == 3);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  printf("program: all well\n");
  return 0;
}
