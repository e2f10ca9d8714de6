// SPDX-License-Identifier: BSD-3-Clause
// Until a program sets another one the error handler is MPI_ERRORS_ARE_FATAL, of what is made of a communicator as well (MPI-4.1 9.3).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  say("MPI_COMM_WORLD: %s", handler_of(MPI_COMM_WORLD));
  say("MPI_COMM_SELF: %s", handler_of(MPI_COMM_SELF));
  MPI_Comm made;
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  say("MPI_Comm_dup: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Comm_dup(MPI_COMM_SELF, &made);
  say("MPI_Comm_dup of MPI_COMM_SELF: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &made);
  say("MPI_Comm_split: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &made);
  say("MPI_Comm_create: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 1, &made);
  say("MPI_Comm_create_group: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Group_free(&group);
  int period = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &made);
  say("MPI_Cart_create: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  say("MPI_Comm_split_type: %s", handler_of(made));
  MPI_Comm_free(&made);
  MPI_Finalize();
  return 0;
}
