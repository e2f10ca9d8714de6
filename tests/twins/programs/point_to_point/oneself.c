// SPDX-License-Identifier: BSD-3-Clause
// A rank sends to itself, nonblocking, buffered and long (MPI-4.1 3.2.4).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { LONG = 300000 };
  int *out = malloc(LONG * sizeof(int)), *in = calloc(LONG, sizeof(int)), bad = 0;
  MPI_Request r[2];
  MPI_Status s[2];
  for (int i = 0; i < LONG; ++i) out[i] = i * 3 + rank;
  MPI_Isend(out, LONG, MPI_INT, rank, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(in, LONG, MPI_INT, rank, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, s);
  for (int i = 0; i < LONG; ++i) bad += in[i] != out[i];
  say("world: bad %d, from %d of %d", bad, s[1].MPI_SOURCE, size);
  MPI_Issend(out, 5, MPI_INT, 0, 2, MPI_COMM_SELF, &r[0]);
  MPI_Recv(in, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &s[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  say("self: %d from %d tag %d", in[4], s[0].MPI_SOURCE, s[0].MPI_TAG);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
