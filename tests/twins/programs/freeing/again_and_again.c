// SPDX-License-Identifier: BSD-3-Clause
// A communicator is made and freed many times: nothing runs out.
// args: dup | split | self
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  int bad = 0, sum;
  for (int i = 0; i < 300; ++i) {
    MPI_Comm made;
    if (is_arg(argc, argv, "dup")) MPI_Comm_dup(MPI_COMM_WORLD, &made);
    if (is_arg(argc, argv, "split")) MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made);
    if (is_arg(argc, argv, "self")) MPI_Comm_dup(MPI_COMM_SELF, &made);
    if (i % 100 == 0) {
      MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, made);
      bad += sum != i * size_of(made);
    }
    MPI_Comm_free(&made);
  }
  say("bad %d", bad);
  MPI_Finalize();
  return 0;
}
