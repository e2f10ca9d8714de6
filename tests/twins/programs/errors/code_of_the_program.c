// SPDX-License-Identifier: BSD-3-Clause
// Classes, codes and texts that a program adds, raised by it (MPI-4.1 9.5).
#include "../twin.h"

static int seen;

static void keep(MPI_Comm* comm, int* code, ...) { seen = *code; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int class, code, got, length, flag, *last;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "the warp is torn");
  MPI_Error_class(code, &got);
  say("the class is the program's: %d", got == class);
  MPI_Error_string(code, text, &length);
  say("text: %s (%d)", text, length);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  say("MPI_LASTUSEDCODE: there %d, not less %d", flag, flag && *last >= code);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(keep, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
  say("raised: %d", seen == code);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
