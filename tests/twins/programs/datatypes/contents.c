// SPDX-License-Identifier: BSD-3-Clause
// MPI_Type_get_envelope and MPI_Type_get_contents give what a type was made of; duplicates too (MPI-4.1 5.1.13).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Datatype type, twin, inner;
  int integers, addresses, types, combiner, values[3];
  MPI_Aint low, extent;
  MPI_Type_vector(3, 2, 5, MPI_DOUBLE, &type);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  say("%d %d %d, vector %d", integers, addresses, types, combiner == MPI_COMBINER_VECTOR);
  MPI_Type_get_contents(type, 3, 0, 1, values, NULL, &inner);
  say("%d %d %d of double %d", values[0], values[1], values[2], inner == MPI_DOUBLE);
  MPI_Type_dup(type, &twin);
  MPI_Type_get_envelope(twin, &integers, &addresses, &types, &combiner);
  say("%d %d %d, dup %d", integers, addresses, types, combiner == MPI_COMBINER_DUP);
  MPI_Type_get_true_extent(type, &low, &extent);
  say("true %d %d; rank %d of %d", (int)low, (int)extent, rank, size);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &inner);
  MPI_Type_size(inner, &integers);
  say("%d", integers);
  MPI_Type_free(&twin);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
