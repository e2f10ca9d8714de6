// SPDX-License-Identifier: BSD-3-Clause
// Packed data travels as MPI_PACKED and is unpacked, also in external32 (MPI-4.1 5.2, 5.3).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char room[200];
  int position = 0, v[3] = {1, 2, rank};
  double d = 0.25;
  MPI_Aint at = 0, bytes;
  if (rank == 0) {
    MPI_Pack(v, 3, MPI_INT, room, sizeof room, &position, MPI_COMM_WORLD);
    MPI_Pack(&d, 1, MPI_DOUBLE, room, sizeof room, &position, MPI_COMM_WORLD);
    MPI_Send(room, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    v[1] = 77;
    MPI_Send(v, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(room, sizeof room, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    d = 0;
    MPI_Unpack(room, sizeof room, &position, v, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(room, sizeof room, &position, &d, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    say("%d %d %d %g of %d", v[0], v[1], v[2], d, size);
    MPI_Recv(room, sizeof room, MPI_PACKED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    position = 0;
    MPI_Unpack(room, sizeof room, &position, v, 3, MPI_INT, MPI_COMM_WORLD);
    say("%d", v[1]);
  }
  MPI_Pack_external_size("external32", 2, MPI_INT, &bytes);
  MPI_Pack_external("external32", v, 2, MPI_INT, room, sizeof room, &at);
  say("external %d %d, bytes %d %d", (int)bytes, (int)at, room[3], room[7]);
  MPI_Finalize();
  return 0;
}
