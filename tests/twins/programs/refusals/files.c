// SPDX-License-Identifier: BSD-3-Clause
// Errors of files return by default (MPI-4.1 14.7), so does the refusal; the program looks at the code.
// refused: MPI_File_open: windows, files and intercommunicators of ranks are still to come (docs/endpoints.md)
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  char text[MPI_MAX_ERROR_STRING];
  int length;
  const int code = MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  if (code != MPI_SUCCESS) {
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "MPI_File_open: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 8);
  }
  MPI_File_close(&file);
  say("opened and closed");
  MPI_Finalize();
  return 0;
}
