// SPDX-License-Identifier: BSD-3-Clause
// A sort by samples: MPI_Allgather, MPI_Alltoall of counts and MPI_Alltoallv of values.
// ranks: 4
#include "../twin.h"

static int less(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(int argc, char** argv) {
  enum { N = 500 };
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[N], got[4 * N], splitters[4], counts[4] = {0}, in[4], from[4] = {0}, to[4] = {0}, total = 0, ordered = 1;
  unsigned x = 12345u + (unsigned)rank;
  for (int i = 0; i < N; ++i) v[i] = (int)((x = x * 1103515245u + 12345u) >> 16) % 10000;
  qsort(v, N, sizeof(int), less);
  MPI_Allgather(&v[N / 2], 1, MPI_INT, splitters, 1, MPI_INT, MPI_COMM_WORLD);
  qsort(splitters, (size_t)size, sizeof(int), less);
  for (int i = 0; i < N; ++i) {
    int bucket = 0;
    while (bucket < size - 1 && v[i] >= splitters[bucket + 1]) ++bucket;
    ++counts[bucket];
  }
  MPI_Alltoall(counts, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    if (i > 0) from[i] = from[i - 1] + counts[i - 1], to[i] = to[i - 1] + in[i - 1];
    total += in[i];
  }
  MPI_Alltoallv(v, counts, from, MPI_INT, got, in, to, MPI_INT, MPI_COMM_WORLD);
  qsort(got, (size_t)total, sizeof(int), less);
  for (int i = 1; i < total; ++i) ordered &= got[i - 1] <= got[i];
  say("%d, first %d, last %d, ordered %d", total, total ? got[0] : -1, total ? got[total - 1] : -1, ordered);
  MPI_Finalize();
  return 0;
}
