// SPDX-License-Identifier: BSD-3-Clause
// Error classes of the program, clocks, processor names, memory (MPI-4.1 9).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int class, code, length, of;
  char text[MPI_MAX_ERROR_STRING], name[MPI_MAX_PROCESSOR_NAME];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "a code of mine");
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &of);
  say("%s %d, class %d, beyond %d", text, length, of == class, class > MPI_ERR_LASTCODE);
  const double before = MPI_Wtime();
  MPI_Get_processor_name(name, &length);
  say("time %d tick %d name %d", MPI_Wtime() >= before, MPI_Wtick() > 0, length > 0 && (int)strlen(name) == length);
  double* room;
  MPI_Alloc_mem(1000 * sizeof *room, MPI_INFO_NULL, &room);
  room[999] = rank;
  MPI_Bcast(room, 1000, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  say("%g", room[999]);
  MPI_Free_mem(room);
  MPI_Pcontrol(1);
  MPI_Finalize();
  return 0;
}
