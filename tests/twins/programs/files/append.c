// SPDX-License-Identifier: BSD-3-Clause
// MPI_MODE_APPEND and split collectives (MPI-4.1 14.2.1 and 14.4.5).
// ranks: 4
#include "file.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  char name[64];
  MPI_File file;
  MPI_Status status;
  MPI_Offset at;
  int data[2] = {rank, 10 + rank};
  MPI_File_open(MPI_COMM_WORLD, scratch(name), create, MPI_INFO_NULL, &file);
  MPI_File_write_at_all_begin(file, rank * (MPI_Offset)sizeof data, data, 2, MPI_INT);
  MPI_File_write_at_all_end(file, data, &status);
  say("wrote %d", ints_in(&status));
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_get_position(file, &at);
  say("begins at %lld", (long long)at);
  int mode = 0, atomic = -1;
  MPI_File_get_amode(file, &mode);
  say("appends: %d", (mode & MPI_MODE_APPEND) != 0);
  MPI_File_get_atomicity(file, &atomic);
  say("atomic: %d", atomic);
  MPI_File_read_at_all(file, (size_of(MPI_COMM_WORLD) - 1 - rank) * (MPI_Offset)sizeof data, data, 2, MPI_INT, &status);
  say("read %d and %d", data[0], data[1]);
  MPI_Group group, world;
  int same = -1;
  MPI_File_get_group(file, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &same);
  say("group: %d", same == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
