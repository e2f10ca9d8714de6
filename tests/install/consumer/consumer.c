// SPDX-License-Identifier: BSD-3-Clause
// A program of a user's: every rank sends its number to the next one, by a sparse exchange on a lane.
#include <raddle/raddle.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Comm lane;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Raddle_Lanes_create(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &lane);
  const int next = (rank + 1) % size;
  const MPI_Count offsets[] = {0, 1};
  Raddle_Sparse_messages got;
  Raddle_Sparse_exchange(&rank, 1, &next, offsets, MPI_INT, MPI_INT, MPI_INFO_NULL, lane, &got);
  const int before = (rank + size - 1) % size;
  if (got.count == 1 && got.ranks[0] == before && *(const int*)got.data == before) printf("rank %d: all good\n", rank);
  Raddle_Sparse_free(&got);
  Raddle_Lanes_free(1, &lane);
  MPI_Finalize();
  return 0;
}
