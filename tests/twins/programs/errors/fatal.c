// SPDX-License-Identifier: BSD-3-Clause
// By default an error ends the job (MPI-4.1 9.3): rank 0 makes one, the others wait for what never comes.
// args: rank | tag | count | type | root | op | truncated | communicator | dup | self | request | group | size-of-type
// status: nonzero: which one an MPI gives is its own affair, and some give that of whom they have killed
#include "../twin.h"

static void err(int argc, char** argv) {
  int value[4] = {0}, out[4];
  MPI_Comm comm = MPI_COMM_WORLD;
  if (is_arg(argc, argv, "rank")) MPI_Send(value, 1, MPI_INT, 99, 0, comm);
  if (is_arg(argc, argv, "tag")) MPI_Send(value, 1, MPI_INT, 1, -7, comm);
  if (is_arg(argc, argv, "count")) MPI_Send(value, -1, MPI_INT, 1, 0, comm);
  if (is_arg(argc, argv, "type")) MPI_Send(value, 1, MPI_DATATYPE_NULL, 1, 0, comm);
  if (is_arg(argc, argv, "root")) MPI_Bcast(value, 1, MPI_INT, 99, comm);
  if (is_arg(argc, argv, "op")) MPI_Allreduce(value, out, 1, MPI_INT, MPI_OP_NULL, comm);
  if (is_arg(argc, argv, "communicator")) MPI_Send(value, 1, MPI_INT, 1, 0, MPI_COMM_NULL);
  if (is_arg(argc, argv, "self")) MPI_Send(value, 1, MPI_INT, 1, 0, MPI_COMM_SELF);
  if (is_arg(argc, argv, "truncated")) {
    MPI_Request request;
    MPI_Isend(value, 4, MPI_INT, 0, 0, comm, &request);
    MPI_Recv(out, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  }
  if (is_arg(argc, argv, "dup")) {
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Send(value, 1, MPI_INT, 1, 0, comm);
  }
  MPI_Request none = MPI_REQUEST_NULL;
  if (is_arg(argc, argv, "request")) MPI_Start(&none);
  if (is_arg(argc, argv, "group")) MPI_Group_size(MPI_GROUP_NULL, out);
  if (is_arg(argc, argv, "size-of-type")) MPI_Type_size(MPI_DATATYPE_NULL, out);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int value;
  say("begins");
  settle();
  if (rank_of(MPI_COMM_WORLD) == 0) {
    err(argc, argv);
    say("goes on");
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
