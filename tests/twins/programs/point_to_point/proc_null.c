// SPDX-License-Identifier: BSD-3-Clause
// Sends to and receives from MPI_PROC_NULL succeed at once (MPI-4.1 3.10).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v = 5, n = -1;
  MPI_Status s;
  MPI_Request r[2];
  MPI_Send(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Ssend(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Recv(&v, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &s);
  MPI_Get_count(&s, MPI_INT, &n);
  say("%d: source %d tag %d count %d of %d", v, s.MPI_SOURCE == MPI_PROC_NULL, s.MPI_TAG == MPI_ANY_TAG, n, size);
  MPI_Isend(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Wait(&r[1], &s);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Get_count(&s, MPI_INT, &n);
  say("%d: source %d tag %d count %d", v, s.MPI_SOURCE == MPI_PROC_NULL, s.MPI_TAG == MPI_ANY_TAG, n);
  MPI_Probe(MPI_PROC_NULL, 9, MPI_COMM_WORLD, &s);
  say("probe: %d %d, rank %d", s.MPI_SOURCE == MPI_PROC_NULL, s.MPI_TAG == MPI_ANY_TAG, rank);
  MPI_Finalize();
  return 0;
}
