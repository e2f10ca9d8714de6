// SPDX-License-Identifier: BSD-3-Clause
// All write by turns in external32; the bytes in the file are big endian, and are read as they were (MPI-4.1 14.5.2).
// except: intel/*: Intel MPI leaves structures as they are.
#include <stddef.h>

#include "file.h"

enum { turns = 20 };

struct pair {
  int number;
  double value;
};

static MPI_Datatype type_of_pairs(void) {
  const int counts[2] = {1, 1};
  const MPI_Aint places[2] = {offsetof(struct pair, number), offsetof(struct pair, value)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype apart, pairs;
  MPI_Type_create_struct(2, counts, places, types, &apart);
  MPI_Type_create_resized(apart, 0, sizeof(struct pair), &pairs);
  MPI_Type_commit(&pairs);
  MPI_Type_free(&apart);
  return pairs;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char name[64];
  MPI_File file;
  MPI_Status status;
  struct pair data[turns], back[turns];
  unsigned char bytes[12];
  for (int i = 0; i < turns; ++i) data[i] = (struct pair){rank * 1000 + i, rank + i / 4.0};
  const int there =
      MPI_File_open(MPI_COMM_WORLD, scratch(name), create | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  say("opened: %d", there == MPI_SUCCESS);
  MPI_Datatype pairs = type_of_pairs(), twelve, tile;
  MPI_Type_contiguous(12, MPI_BYTE, &twelve);
  MPI_Type_create_resized(twelve, 0, 12 * size, &tile);
  MPI_Type_commit(&tile);
  int code = MPI_File_set_view(file, 12 * rank, MPI_BYTE, tile, "external32", MPI_INFO_NULL);
  say("set: %d", code == MPI_SUCCESS);
  code = MPI_File_write_all(file, data, turns, pairs, &status);
  int count = -1;
  MPI_Get_count(&status, pairs, &count);
  say("wrote %d: %d", count, code == MPI_SUCCESS);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_set_view(file, 12 * ((rank + 1) % size), MPI_BYTE, tile, "external32", MPI_INFO_NULL);
  memset(back, 0, sizeof back);
  code = MPI_File_read_all(file, back, turns, pairs, &status);
  MPI_Get_count(&status, pairs, &count);
  say("read %d: %d, the last %d %g", count, code == MPI_SUCCESS, back[turns - 1].number, back[turns - 1].value);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, 12 * size * 3 + 12 * rank, bytes, 12, MPI_BYTE, &status);
  say("bytes %02x%02x%02x%02x %02x%02x%02x%02x%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3], bytes[4],
      bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10], bytes[11]);
  MPI_File_close(&file);
  MPI_Type_free(&pairs);
  MPI_Type_free(&twelve);
  MPI_Type_free(&tile);
  MPI_Finalize();
  return 0;
}
