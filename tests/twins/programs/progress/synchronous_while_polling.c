// SPDX-License-Identifier: BSD-3-Clause
// A synchronous send ends while its receiver only polls on another communicator, for what the sender sends afterwards.
// args: iprobe | test | self
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  int first = 0, second = 0, flag = 0;
  if (rank == 0) {
    first = 1;
    second = 2;
    MPI_Ssend(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&second, 1, MPI_INT, 1, 0, other);
  } else {
    MPI_Request a, b;
    MPI_Irecv(&first, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &a);
    if (is_arg(argc, argv, "test")) {
      MPI_Irecv(&second, 1, MPI_INT, 0, 0, other, &b);
      while (!flag) MPI_Test(&b, &flag, MPI_STATUS_IGNORE);
    } else {
      while (!flag) {
        int none;
        if (is_arg(argc, argv, "self")) MPI_Iprobe(0, 9, MPI_COMM_SELF, &none, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, 0, other, &flag, MPI_STATUS_IGNORE);
      }
      MPI_Recv(&second, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&a, MPI_STATUS_IGNORE);
    say("got %d and %d", first, second);
  }
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
