// SPDX-License-Identifier: BSD-3-Clause
// The error handler of MPI_FILE_NULL hears of files that cannot be opened, and files get it when they are opened: each
// process has its own (MPI-4.1 14.7).
#include "file.h"

static int mine, heard_here;

static void heard(MPI_File* file, int* code, ...) {
  ++heard_here;
  say("rank %d hears class %s of the %s", mine,
      class_of(*code) == MPI_ERR_NO_SUCH_FILE ? "MPI_ERR_NO_SUCH_FILE" : "another",
      *file == MPI_FILE_NULL ? "null file" : "file");
}

static void heard_by_the_other(MPI_File* file, int* code, ...) { say("rank %d hears class %d", mine, class_of(*code)); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  mine = rank_of(MPI_COMM_WORLD);
  char name[64];
  MPI_File file;
  MPI_Errhandler handler, got;
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  say("at first errors are %s", got == MPI_ERRORS_RETURN ? "returned" : "heard");
  MPI_File_create_errhandler(mine == 0 ? heard : heard_by_the_other, &handler);
  if (mine == 0) MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  say("heard %d, set: %d", heard_here, got == handler);
  MPI_File_open(MPI_COMM_WORLD, scratch(name), create | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_get_errhandler(file, &got);
  say("a file has %s", got == MPI_ERRORS_RETURN ? "what there is at first" : "the one of the null file");
  MPI_File_close(&file);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  say("heard %d", heard_here);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
