// SPDX-License-Identifier: BSD-3-Clause
// Names: those of the predefined ones, set ones, and that duplicates have none (MPI-4.1 7.8).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm twin;
  MPI_Datatype type;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  say("%s %d", name, length);
  MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
  say("%s %d", name, length);
  MPI_Comm_set_name(MPI_COMM_WORLD, rank ? "odd" : "even");
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  say("%s %d of %d", name, length, size);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_set_name(twin, "twin of mine");
  MPI_Comm_get_name(twin, name, &length);
  say("%s %d", name, length);
  MPI_Comm_free(&twin);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_name(type, "two");
  MPI_Type_get_name(type, name, &length);
  say("%s %d", name, length);
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  say("%s %d", name, length);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
