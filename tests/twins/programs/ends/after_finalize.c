// SPDX-License-Identifier: BSD-3-Clause
// The status of what ends after MPI_Finalize is that of the program; some other ranks end with 0.
// args: return | exit | all
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  say("begins");
  settle();
  MPI_Finalize();
  usleep(100000);
  if (is_arg(argc, argv, "all")) return 6;
  if (rank == 2 && is_arg(argc, argv, "exit")) exit(5);
  return rank == 2 ? 5 : 0;
}
