// SPDX-License-Identifier: BSD-3-Clause
// Wrong arguments of what makes communicators and groups, the same on all ranks: errors, that return (MPI-4.1 7.3, 7.4).
#include "../twin.h"

#define TRY(call) say("%s: class %d", #call, class_of(call))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm made;
  MPI_Group group, other;
  int n, far = 99, dims[2] = {50, 50}, periods[2] = {0, 0};
  MPI_Comm_group(world, &group);
  TRY(MPI_Comm_create(world, MPI_GROUP_NULL, &made));
  TRY(MPI_Comm_dup(MPI_COMM_NULL, &made));
  TRY(MPI_Comm_size(MPI_COMM_NULL, &n));
  TRY(MPI_Comm_compare(world, MPI_COMM_NULL, &n));
  TRY(MPI_Group_incl(group, 1, &far, &other));
  TRY(MPI_Group_excl(group, 1, &far, &other));
  TRY(MPI_Group_size(MPI_GROUP_NULL, &n));
  TRY(MPI_Cart_create(world, 2, dims, periods, 0, &made));
  TRY(MPI_Cartdim_get(world, &n));
  MPI_Comm null = MPI_COMM_NULL;
  TRY(MPI_Comm_free(&null));
  null = world;
  TRY(MPI_Comm_free(&null));
  MPI_Group_free(&group);
  MPI_Finalize();
  return 0;
}
