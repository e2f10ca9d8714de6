// SPDX-License-Identifier: BSD-3-Clause
// An intercommunicator of two groups of MPI_COMM_WORLD, without a session (MPI-4.1 7.6.2).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, own, other;
  MPI_Comm inter;
  int rank = rank_of(MPI_COMM_WORLD), partner = 1 - rank, size;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &rank, &own);
  MPI_Group_incl(world, 1, &partner, &other);
  MPI_Intercomm_create_from_groups(own, 0, other, 0, "pair", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
  MPI_Comm_remote_size(inter, &size);
  say("remote size %d", size);
  MPI_Comm_free(&inter);
  MPI_Group_free(&world);
  MPI_Group_free(&own);
  MPI_Group_free(&other);
  MPI_Finalize();
  return 0;
}
