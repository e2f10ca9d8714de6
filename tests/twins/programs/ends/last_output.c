// SPDX-License-Identifier: BSD-3-Clause
// What is written last, without a newline and without a flush, is not lost when a rank ends.
// args: return | exit | after
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  if (rank == 0 && !is_arg(argc, argv, "after")) printf("0: the last words");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0 && is_arg(argc, argv, "after")) printf("0: after MPI_Finalize");
  if (is_arg(argc, argv, "exit")) exit(0);
  return 0;
}
