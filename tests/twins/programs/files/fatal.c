// SPDX-License-Identifier: BSD-3-Clause
// The error handler of MPI_FILE_NULL hears of files that cannot be opened (MPI-4.1 14.7).
// status: nonzero: each MPI ends with another one
// output: ignored: who is killed before it has written is a matter of time
#include "file.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file = MPI_FILE_NULL;
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_File_open(MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_Finalize();
  return 0;
}
