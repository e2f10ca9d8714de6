// SPDX-License-Identifier: BSD-3-Clause
// A program that has sessions only opens a file with a communicator of its own.
// ranks: 4
// except: mpich/*: this MPI crashes where files are opened without MPI_Init
#include "sessions.h"

int main(void) {
  MPI_Session session = begin();
  MPI_Comm world = comm_of(session, "mpi://WORLD", "all");
  const int rank = rank_of(world), size = size_of(world);
  int got = -1;
  MPI_File file;
  char name[60];
  int job = (int)getpid();
  MPI_Bcast(&job, 1, MPI_INT, 0, world);
  snprintf(name, sizeof name, "/tmp/twin-session-%d", job);
  MPI_File_open(world, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(world);
  MPI_File_sync(file);
  MPI_File_read_at_all(file, (size - 1 - rank) * (MPI_Offset)sizeof rank, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
  say_on(world, "read %d", got);
  MPI_File_close(&file);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
  return 0;
}
