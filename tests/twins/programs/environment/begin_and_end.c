// SPDX-License-Identifier: BSD-3-Clause
// What may be asked before MPI_Init and after MPI_Finalize (MPI-4.1 11.4.1).
// args: | thread
#include "../twin.h"

int main(int argc, char** argv) {
  int a = -1, b = -1, c = -1, d = -1, version, sub, got = -1, is = -1;
  MPI_Initialized(&a);
  MPI_Finalized(&b);
  MPI_Get_version(&version, &sub);
  if (is_arg(argc, argv, "thread")) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &got);
    say("at least funneled %d", got >= MPI_THREAD_FUNNELED);
  } else {
    MPI_Init(&argc, &argv);
  }
  const int rank = rank_of(MPI_COMM_WORLD);
  MPI_Initialized(&c);
  MPI_Finalized(&d);
  MPI_Is_thread_main(&is);
  say("%d %d %d %d main %d, version %d", a, b, c, d, is, version >= 3);
  MPI_Finalize();
  MPI_Initialized(&c);
  MPI_Finalized(&d);
  printf("%d: %d %d\n", rank, c, d);
  return 0;
}
