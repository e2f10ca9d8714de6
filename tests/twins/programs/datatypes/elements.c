// SPDX-License-Identifier: BSD-3-Clause
// A receive that is filled in part: MPI_Get_count is undefined, MPI_Get_elements is not (MPI-4.1 5.1.11).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Datatype three;
  MPI_Status s;
  int v[6] = {1, 2, 3, 4, 5, 6}, count, elements;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  for (int n = 0; n <= 6; ++n) {
    if (rank == 0) MPI_Send(v, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank != 1) continue;
    MPI_Recv(v, 2, three, 0, 0, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, three, &count);
    MPI_Get_elements(&s, three, &elements);
    say("%d: %d %d of %d", n, count == MPI_UNDEFINED ? -9 : count, elements, size);
  }
  MPI_Type_free(&three);
  MPI_Finalize();
  return 0;
}
