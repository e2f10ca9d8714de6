// SPDX-License-Identifier: BSD-3-Clause
// Messages without data match like others, and are of no count in any type (MPI-4.1 3.2).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Status s;
  int n = -1, d = -1;
  char byte = 'x';
  if (rank == 0) {
    MPI_Send(NULL, 0, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Ssend(NULL, 0, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
    MPI_Send(&byte, 1, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(NULL, 0, MPI_INT, 0, 5, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    MPI_Recv(&byte, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_DOUBLE, &d);
    say("%d %d tag %d of %d, byte %c", n, d, s.MPI_TAG, size, byte);
    MPI_Recv(&byte, 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    say("a byte is no int: %d", n == MPI_UNDEFINED);
  }
  MPI_Finalize();
  return 0;
}
