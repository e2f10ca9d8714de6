// SPDX-License-Identifier: BSD-3-Clause
// A master gives work to whoever is free, by wildcards and tags.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { TASKS = 40 };
  if (rank == 0) {
    int next = 0, running = size - 1, sum = 0, in[2];
    MPI_Status s;
    while (running > 0) {
      MPI_Recv(in, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
      if (s.MPI_TAG == 1) sum += in[0] * in[1];
      MPI_Send(&next, 1, MPI_INT, s.MPI_SOURCE, next < TASKS ? 2 : 3, MPI_COMM_WORLD);
      if (next < TASKS)
        ++next;
      else
        --running;
    }
    say("sum %d", sum);
  } else {
    int task, out[2] = {0, 0};
    MPI_Status s;
    MPI_Send(out, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (;;) {
      MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
      if (s.MPI_TAG == 3) break;
      out[0] = task;
      out[1] = task + 1;
      MPI_Send(out, 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
