// SPDX-License-Identifier: BSD-3-Clause
// Messages of many lengths up to 8 MiB, both ways at once (MPI-4.1 3.7.4).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { MOST = 8 << 20 };
  unsigned char *out = malloc(MOST), *in = malloc(MOST);
  const int lengths[] = {1, 63, 64, 65, 1000, 4096, 8193, 65536, 65537, 1 << 20, MOST};
  for (int i = 0; i < MOST; ++i) out[i] = (unsigned char)(i * 7 + rank + i / 251);
  for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
    int bad = 0;
    MPI_Request r[2];
    memset(in, 0, MOST);
    MPI_Irecv(in, MOST, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, lengths[k], MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < lengths[k]; ++i) bad += in[i] != (unsigned char)(i * 7 + 1 - rank + i / 251);
    for (int i = lengths[k]; i < MOST; ++i) bad += in[i] != 0;
    say("%d bytes: bad %d", lengths[k], bad);
  }
  free(out);
  free(in);
  (void)size;
  MPI_Finalize();
  return 0;
}
