// SPDX-License-Identifier: BSD-3-Clause
// Individual file pointers, sizes, and reading beyond the end (MPI-4.1 14.2 and 14.4.3).
#include "file.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char name[64];
  MPI_File file;
  MPI_Status status;
  MPI_Offset at;
  int data[10];
  MPI_File_open(MPI_COMM_WORLD, scratch(name), create, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int i = 0; i < 10; ++i) data[i] = rank * 10 + i;
  MPI_File_seek(file, rank * 10, MPI_SEEK_SET);
  MPI_File_write(file, data, 4, MPI_INT, &status);
  MPI_Request request;
  MPI_File_iwrite(file, data + 4, 6, MPI_INT, &request);
  MPI_Wait(&request, &status);
  say("wrote %d", ints_in(&status));
  MPI_File_get_position(file, &at);
  say("is at %lld", (long long)at);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek(file, -3, MPI_SEEK_END);
  MPI_File_get_position(file, &at);
  say("three before the end is %lld", (long long)at);
  MPI_File_read(file, data, 10, MPI_INT, &status);
  say("read %d: %d %d %d", ints_in(&status), data[0], data[1], data[2]);
  MPI_File_iread_at(file, 10 * ((rank + 1) % size), data, 10, MPI_INT, &request);
  int flag = 0;
  while (!flag) MPI_Test(&request, &flag, &status);
  say("read %d: %d to %d", ints_in(&status), data[0], data[9]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, 100);
  MPI_File_get_size(file, &at);
  say("has %lld", (long long)at);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_preallocate(file, 4096);
  MPI_File_get_size(file, &at);
  say("has %lld", (long long)at);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) say("delete: %s", MPI_File_delete(name, MPI_INFO_NULL) == MPI_SUCCESS ? "done" : "failed");
  MPI_Finalize();
  return 0;
}
