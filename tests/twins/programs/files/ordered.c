// SPDX-License-Identifier: BSD-3-Clause
// The shared file pointer, in the order of ranks and by whoever comes first (MPI-4.1 14.4.4).
// ranks: 4
#include "file.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char name[64];
  MPI_File file;
  MPI_Status status;
  MPI_Offset at;
  MPI_File_open(MPI_COMM_WORLD, scratch(name), create | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  const int mine[4] = {rank, rank, rank, rank};
  MPI_File_write_ordered(file, mine, rank + 1 > 4 ? 4 : rank + 1, MPI_INT, &status);
  say("wrote %d", ints_in(&status));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_position_shared(file, &at);
  say("they are at %lld", (long long)at);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  int one = -1;
  MPI_File_read_ordered(file, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
  say("read %d", one);
  MPI_File_seek_shared(file, 0, MPI_SEEK_END);
  MPI_File_write_shared(file, mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_position_shared(file, &at);
  say("they are at %lld", (long long)at);
  int last[4], sum = 0;
  MPI_File_read_at(file, at - size, last, size, MPI_INT, &status);
  for (int i = 0; i < size; ++i) sum += last[i];
  say("the last %d have sum %d", ints_in(&status), sum);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
