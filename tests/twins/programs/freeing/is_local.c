// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_free waits for nobody: one rank frees, then sends; the other one receives, then frees (MPI-4.1 7.4.3).
// args: unused | used | split
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm a, b;
  int v = 1, sum;
  if (is_arg(argc, argv, "split"))
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &a);
  else
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(a, &b);
  if (is_arg(argc, argv, "used")) MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, a);
  if (rank == 0) {
    MPI_Comm_free(&a);
    MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&b);
  } else {
    MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&b);
    MPI_Comm_free(&a);
  }
  say("null: %d %d", a == MPI_COMM_NULL, b == MPI_COMM_NULL);
  MPI_Finalize();
  return 0;
}
