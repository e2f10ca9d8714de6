// SPDX-License-Identifier: BSD-3-Clause
// All modes of blocking and nonblocking sends around a ring (MPI-4.1 3.4, 3.7.2).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int mode = 0; mode < 8; ++mode) {
    int out = rank * 10 + mode, in = -1;
    MPI_Request receive, send = MPI_REQUEST_NULL;
    MPI_Status status;
    static char room[1000 + MPI_BSEND_OVERHEAD];
    MPI_Irecv(&in, 1, MPI_INT, left, mode, MPI_COMM_WORLD, &receive);
    MPI_Barrier(MPI_COMM_WORLD);
    if (mode % 4 == 1) MPI_Buffer_attach(room, sizeof room);
    if (mode == 0) MPI_Send(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD);
    if (mode == 1) MPI_Bsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD);
    if (mode == 2) MPI_Ssend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD);
    if (mode == 3) MPI_Rsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD);
    if (mode == 4) MPI_Isend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, &send);
    if (mode == 5) MPI_Ibsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, &send);
    if (mode == 6) MPI_Issend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, &send);
    if (mode == 7) MPI_Irsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, &send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, &status);
    if (mode % 4 == 1) {
      void* back;
      int length;
      MPI_Buffer_detach(&back, &length);
      say("buffer %d, %d", back == (void*)room, length == (int)sizeof room);
    }
    say("mode %d: %d from %d tag %d", mode, in, status.MPI_SOURCE, status.MPI_TAG);
  }
  MPI_Finalize();
  return 0;
}
