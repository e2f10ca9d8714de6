// SPDX-License-Identifier: BSD-3-Clause
// A file of all ranks in a place for scratch; MPI_File_delete or MPI_MODE_DELETE_ON_CLOSE removes it.
#ifndef FILE_H
#define FILE_H
#include "../twin.h"

enum { create = MPI_MODE_CREATE | MPI_MODE_RDWR };

static inline const char* scratch(char name[64]) {
  snprintf(name, 64, "/tmp/twin-file-%ld", (long)getpid());
  MPI_Bcast(name, 64, MPI_CHAR, 0, MPI_COMM_WORLD);
  return name;
}

static inline int ints_in(MPI_Status* status) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  return count;
}

#endif
