// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init(NULL, NULL), and MPI_Init_thread with each level: at least SINGLE is provided, and MPI_Query_thread says the same.
// args: init | single | funneled
#include "../twin.h"

int main(int argc, char** argv) {
  int provided = -1, asked = -1, main_thread = -1;
  if (is_arg(argc, argv, "init")) MPI_Init(NULL, NULL);
  if (is_arg(argc, argv, "single")) MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
  if (is_arg(argc, argv, "funneled")) MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Query_thread(&asked);
  MPI_Is_thread_main(&main_thread);
  say("the same: %d, main: %d", provided < 0 || provided == asked, main_thread);
  MPI_Finalize();
  return 0;
}
