// SPDX-License-Identifier: BSD-3-Clause
// Messages of one sender do not overtake, short and long mixed (MPI-4.1 3.5).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 60, MOST = 40000 };
  static int buffer[MOST];
  int bad = 0;
  for (int i = 0; i < N; ++i) {
    const int length = i % 3 == 0 ? 1 : i % 3 == 1 ? 300 : MOST;
    if (rank == 0) {
      buffer[0] = i;
      MPI_Send(buffer, length, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Status s;
      int n;
      MPI_Recv(buffer, MOST, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
      MPI_Get_count(&s, MPI_INT, &n);
      bad += n != length || buffer[0] != i;
    }
  }
  say("out of order: %d of %d", bad, size);
  MPI_Finalize();
  return 0;
}
