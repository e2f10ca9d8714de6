// SPDX-License-Identifier: BSD-3-Clause
// A type that is freed while it travels still works (MPI-4.1 5.1.9).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[100], got[50] = {0};
  MPI_Datatype type;
  MPI_Request r[2];
  for (int i = 0; i < 100; ++i) v[i] = i + rank;
  MPI_Type_vector(50, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(got, 50, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(v, 1, type, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Type_free(&type);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  say("%d %d, null %d of %d", got[1], got[49], type == MPI_DATATYPE_NULL, size);
  MPI_Finalize();
  return 0;
}
