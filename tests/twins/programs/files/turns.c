// SPDX-License-Identifier: BSD-3-Clause
// All write by turns, together, and each reads what the next rank has written (MPI-4.1 14.3 and 14.4.2).
// ranks: 4
#include "file.h"

enum { turns = 500, each = 3 };

static void see(MPI_File file, int rank, int size) {
  MPI_Datatype ints, tile;
  MPI_Type_contiguous(each, MPI_INT, &ints);
  MPI_Type_create_resized(ints, 0, (MPI_Aint)(size * each * sizeof(int)), &tile);
  MPI_Type_commit(&tile);
  MPI_File_set_view(file, (MPI_Offset)(rank * each * sizeof(int)), MPI_INT, tile, "native", MPI_INFO_NULL);
  MPI_Type_free(&ints);
  MPI_Type_free(&tile);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char name[64];
  MPI_File file;
  MPI_Status status;
  int data[turns * each];
  MPI_File_open(MPI_COMM_WORLD, scratch(name), create | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  for (int i = 0; i < turns * each; ++i) data[i] = rank * 100000 + i;
  see(file, rank, size);
  MPI_File_write_all(file, data, turns * each, MPI_INT, &status);
  say("wrote %d", ints_in(&status));
  MPI_Offset at;
  MPI_File_get_position(file, &at);
  say("is at %lld", (long long)at);
  MPI_File_get_byte_offset(file, at, &at);
  say("which is byte %lld", (long long)at);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  see(file, (rank + 1) % size, size);
  MPI_File_read_all(file, data, turns * each, MPI_INT, &status);
  long sum = 0;
  for (int i = 0; i < turns * each; ++i) sum = sum * 31 % 1000003 + data[i];
  say("read %d with sum %ld", ints_in(&status), sum);
  MPI_File_get_size(file, &at);
  say("of %lld bytes", (long long)at);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
