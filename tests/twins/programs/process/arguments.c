// SPDX-License-Identifier: BSD-3-Clause
// A rank has its arguments, may change them, and has them still when the program ends.
// args: one two | x |
#include "../twin.h"

static char** late;

static void show(void) { printf("late: %s\n", late[1] ? late[1] : "none"); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 1; i < argc; ++i) say("%d of %d: %s", i, argc, argv[i]);
  say("ended by null: %d", argv[argc] == NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1) argv[1][0] = (char)('A' + rank_of(MPI_COMM_WORLD));
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1) say("now %s", argv[1]);
  late = argv;
  atexit(show);
  MPI_Finalize();
  return 0;
}
