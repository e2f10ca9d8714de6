// SPDX-License-Identifier: BSD-3-Clause
// Nobody has set an error handler: errors of files are returned (MPI-4.1 14.7).
#include "file.h"

static const char* name_of_class(int code) {
  switch (class_of(code)) {
    case MPI_SUCCESS:
      return "MPI_SUCCESS";
    case MPI_ERR_NO_SUCH_FILE:
      return "MPI_ERR_NO_SUCH_FILE";
    case MPI_ERR_FILE_EXISTS:
      return "MPI_ERR_FILE_EXISTS";
    case MPI_ERR_READ_ONLY:
      return "MPI_ERR_READ_ONLY";
    default:
      return "another";
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char name[64];
  MPI_File file = MPI_FILE_NULL;
  const char one = 'x';
  scratch(name);
  int code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  say("open: %s", name_of_class(code));
  MPI_Barrier(MPI_COMM_WORLD);
  code = MPI_File_delete(name, MPI_INFO_NULL);
  say("delete: %s", name_of_class(code));
  code = MPI_File_open(MPI_COMM_WORLD, name, create | MPI_MODE_EXCL, MPI_INFO_NULL, &file);
  say("create: %s", name_of_class(code));
  MPI_File_close(&file);
  say("closed: %s", file == MPI_FILE_NULL ? "MPI_FILE_NULL" : "another");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  code = MPI_File_write_at(file, 0, &one, 1, MPI_CHAR, MPI_STATUS_IGNORE);
  say("write: %s", name_of_class(code));
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
