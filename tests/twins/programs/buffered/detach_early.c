// SPDX-License-Identifier: BSD-3-Clause
// What is detached before it was received still arrives (MPI-4.1 3.6).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[4] = {1, 2, 3, rank}, got[4] = {0}, length;
  char* room = malloc(4 * sizeof(int) + MPI_BSEND_OVERHEAD);
  void* back;
  MPI_Buffer_attach(room, 4 * sizeof(int) + MPI_BSEND_OVERHEAD);
  MPI_Request r;
  MPI_Irecv(got, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  MPI_Bsend(v, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  memset(v, 0, sizeof v);
  MPI_Buffer_detach(&back, &length);
  memset(room, 0x7f, 4 * sizeof(int));
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  say("%d %d %d %d, same %d of %d", got[0], got[1], got[2], got[3], back == (void*)room, size);
  free(room);
  MPI_Finalize();
  return 0;
}
