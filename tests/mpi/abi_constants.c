/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants that libraries with the ABI of a draft give other values mean what their names say. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPECT(holds)                                             \
  do {                                                            \
    if (!(holds)) {                                               \
      fprintf(stderr, "line %d: not so: %s\n", __LINE__, #holds); \
      MPI_Abort(MPI_COMM_WORLD, 1);                               \
    }                                                             \
  } while (0)

static int attribute(int keyval) {
  int* value = NULL;
  int there = 0;
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &there) == MPI_SUCCESS);
  return there ? *value : -1;
}

static void errors_return(void) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  int class = MPI_SUCCESS;
  int value = 0;
  EXPECT(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  MPI_Error_class(MPI_Send(&value, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD), &class);
  EXPECT(class == MPI_ERR_RANK);
  EXPECT(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) == MPI_SUCCESS);
  EXPECT(handler == MPI_ERRORS_RETURN);
  EXPECT(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT) == MPI_SUCCESS);
  EXPECT(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) == MPI_SUCCESS);
  EXPECT(handler == MPI_ERRORS_ABORT);
  EXPECT(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL) == MPI_SUCCESS);
}

static void seek(void) {
  char name[] = "abi_constants.XXXXXX";
  char text[4] = "abc";
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset at = 0;
  const int made = mkstemp(name);
  EXPECT(made >= 0);
  close(made);
  EXPECT(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) ==
         MPI_SUCCESS);
  EXPECT(MPI_File_write(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  EXPECT(MPI_File_seek(file, 1, MPI_SEEK_SET) == MPI_SUCCESS);
  EXPECT(MPI_File_get_position(file, &at) == MPI_SUCCESS && at == 1);
  EXPECT(MPI_File_seek(file, 1, MPI_SEEK_CUR) == MPI_SUCCESS);
  EXPECT(MPI_File_get_position(file, &at) == MPI_SUCCESS && at == 2);
  EXPECT(MPI_File_seek(file, 0, MPI_SEEK_END) == MPI_SUCCESS);
  EXPECT(MPI_File_get_position(file, &at) == MPI_SUCCESS && at == 3);
  EXPECT(MPI_File_close(&file) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  EXPECT(attribute(MPI_LASTUSEDCODE) >= MPI_ERR_LASTCODE);
  EXPECT(attribute(MPI_UNIVERSE_SIZE) < MPI_ERR_LASTCODE);
  EXPECT(attribute(MPI_APPNUM) <= 0);
  errors_return();
  seek();
  MPI_Finalize();
  return 0;
}
