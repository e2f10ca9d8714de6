// SPDX-License-Identifier: BSD-3-Clause
// The classes of what a wrong argument of point to point gives (MPI-4.1 9.4).
#include "../twin.h"

#define TRY(call) say("%s: class %d", #call, class_of(call))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const MPI_Comm world = MPI_COMM_WORLD;
  int v = 0, flag;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  TRY(MPI_Send(&v, 1, MPI_INT, 99, 0, world));
  TRY(MPI_Send(&v, 1, MPI_INT, -7, 0, world));
  TRY(MPI_Send(&v, 1, MPI_INT, 0, -7, world));
  TRY(MPI_Send(&v, -1, MPI_INT, 0, 0, world));
  TRY(MPI_Send(&v, 1, MPI_DATATYPE_NULL, 0, 0, world));
  TRY(MPI_Ssend(&v, 1, MPI_INT, 99, 0, world));
  TRY(MPI_Bsend(&v, 1, MPI_INT, 99, 0, world));
  TRY(MPI_Rsend(&v, 1, MPI_INT, 99, 0, world));
  TRY(MPI_Recv(&v, 1, MPI_INT, 99, 0, world, &status));
  TRY(MPI_Recv(&v, -1, MPI_INT, 0, 0, world, &status));
  TRY(MPI_Recv(&v, 1, MPI_INT, 0, -7, world, &status));
  TRY(MPI_Isend(&v, 1, MPI_INT, 99, 0, world, &request));
  TRY(MPI_Irecv(&v, 1, MPI_INT, 99, 0, world, &request));
  TRY(MPI_Irecv(&v, 1, MPI_DATATYPE_NULL, 0, 0, world, &request));
  TRY(MPI_Send_init(&v, 1, MPI_INT, 99, 0, world, &request));
  TRY(MPI_Recv_init(&v, -1, MPI_INT, 0, 0, world, &request));
  TRY(MPI_Probe(99, 0, world, &status));
  TRY(MPI_Iprobe(99, 0, world, &flag, &status));
  TRY(MPI_Iprobe(0, -7, world, &flag, &status));
  TRY(MPI_Sendrecv(&v, 1, MPI_INT, 99, 0, &flag, 1, MPI_INT, 0, 0, world, &status));
  TRY(MPI_Sendrecv_replace(&v, 1, MPI_INT, 99, 0, 0, 0, world, &status));
  TRY(MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
  TRY(MPI_Send(&v, 1, MPI_INT, MPI_PROC_NULL, 0, world));
  MPI_Finalize();
  return 0;
}
