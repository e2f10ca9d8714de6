// SPDX-License-Identifier: BSD-3-Clause
// Likewise intercommunicators.
// refused: MPI_Intercomm_create: windows, files and intercommunicators of ranks are still to come (docs/endpoints.md)
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm part, inter;
  const int rank = rank_of(MPI_COMM_WORLD);
  int size;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
  MPI_Comm_remote_size(inter, &size);
  say("remote size %d", size);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
