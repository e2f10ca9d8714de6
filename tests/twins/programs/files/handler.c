// SPDX-License-Identifier: BSD-3-Clause
// A handler of the program hears the errors of a file, with its handle (MPI-4.1 14.7).
#include "file.h"

static void heard(MPI_File* file, int* code, ...) {
  say("heard class %s of the %s", class_of(*code) == MPI_ERR_READ_ONLY ? "MPI_ERR_READ_ONLY" : "another",
      *file == MPI_FILE_NULL ? "null file" : "file");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char name[64];
  MPI_File file;
  MPI_Errhandler handler;
  const char one = 'x';
  MPI_File_open(MPI_COMM_WORLD, scratch(name), create, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_create_errhandler(heard, &handler);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_errhandler(file, handler);
  MPI_Errhandler_free(&handler);
  MPI_File_write_at(file, 0, &one, 1, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
