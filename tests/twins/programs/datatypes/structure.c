// SPDX-License-Identifier: BSD-3-Clause
// A struct with holes, resized, several at once (MPI-4.1 5.1.7).
#include <stddef.h>

#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  struct thing {
    char c;
    double d;
    int i[3];
  } v[4], got[4];
  const int lengths[3] = {1, 1, 3};
  const MPI_Aint at[3] = {offsetof(struct thing, c), offsetof(struct thing, d), offsetof(struct thing, i)};
  const MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype packed, whole;
  MPI_Aint low, extent;
  MPI_Type_create_struct(3, lengths, at, types, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(struct thing), &whole);
  MPI_Type_commit(&whole);
  for (int i = 0; i < 4; ++i) v[i] = (struct thing){(char)('a' + i + rank), i * 0.5, {i, i + 1, i + 2}};
  memset(got, 0, sizeof got);
  MPI_Sendrecv(v, 4, whole, 1 - rank, 0, got, 4, whole, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("%c %g %d, %c %g %d", got[0].c, got[0].d, got[0].i[2], got[3].c, got[3].d, got[3].i[2]);
  MPI_Type_get_extent(whole, &low, &extent);
  int bytes;
  MPI_Type_size(whole, &bytes);
  say("extent %d, size %d of %d", (int)extent, bytes, size);
  MPI_Bcast(v, 3, whole, 1, MPI_COMM_WORLD);
  say("%c %c", v[0].c, v[3].c);
  MPI_Type_free(&packed);
  MPI_Type_free(&whole);
  MPI_Finalize();
  return 0;
}
