// SPDX-License-Identifier: BSD-3-Clause
// A handler of the program hears the errors of a window, and they are returned (MPI-4.1 9.3.2).
#include "../twin.h"

static void heard(MPI_Win* window, int* code, ...) {
  (void)window;
  say("heard class %s", class_of(*code) == MPI_ERR_RANK ? "MPI_ERR_RANK" : "another");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int memory = 0;
  MPI_Errhandler handler;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_create_errhandler(heard, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Win_fence(0, window);
  MPI_Put(&memory, 1, MPI_INT, 17, 0, 1, MPI_INT, window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  const int code = MPI_Put(&memory, 1, MPI_INT, 17, 0, 1, MPI_INT, window);
  say("returned class %s", class_of(code) == MPI_ERR_RANK ? "MPI_ERR_RANK" : "another");
  MPI_Win_fence(0, window);
  MPI_Errhandler_free(&handler);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
