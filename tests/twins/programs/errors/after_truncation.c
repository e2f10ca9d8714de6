// SPDX-License-Identifier: BSD-3-Clause
// After a receive that was too short the next ones are right, and so is the status of each (MPI-4.1 3.2.2).
// args: short | long
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int rank = rank_of(MPI_COMM_WORLD), n = is_arg(argc, argv, "long") ? 300000 : 8;
  int* v = calloc((size_t)n, sizeof *v);
  for (int round = 0; round < 3; ++round) {
    const int room = round == 1 ? n / 2 : n;
    v[0] = rank == 0 ? round + 1 : 0;
    if (rank == 0) {
      MPI_Send(v, n, MPI_INT, 1, round, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Status status;
      const int code = MPI_Recv(v, room, MPI_INT, 0, round, MPI_COMM_WORLD, &status);
      say("round %d: class %d, source %d, tag %d", round, class_of(code), status.MPI_SOURCE, status.MPI_TAG);
      if (round != 1) say("round %d: first value %d", round, v[0]);
    }
  }
  free(v);
  MPI_Finalize();
  return 0;
}
