// SPDX-License-Identifier: BSD-3-Clause
// Union, intersection, difference, ranges, translation and comparison of groups (MPI-4.1 7.3).
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  (void)rank;
  MPI_Group all, low, high, g[5];
  const int a[3] = {0, 1, 2}, b[2] = {3, 1}, ask[4] = {0, 1, 2, 3};
  int range[1][3] = {{3, 0, -2}}, to[4], relation, n, mine;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 3, a, &low);
  MPI_Group_incl(all, 2, b, &high);
  MPI_Group_union(low, high, &g[0]);
  MPI_Group_intersection(low, high, &g[1]);
  MPI_Group_difference(low, high, &g[2]);
  MPI_Group_range_incl(all, 1, range, &g[3]);
  MPI_Group_excl(all, 2, b, &g[4]);
  for (int i = 0; i < 5; ++i) {
    MPI_Group_size(g[i], &n);
    MPI_Group_rank(g[i], &mine);
    MPI_Group_translate_ranks(all, 4, ask, g[i], to);
    for (int k = 0; k < 4; ++k) to[k] = to[k] == MPI_UNDEFINED ? -1 : to[k];
    MPI_Group_compare(all, g[i], &relation);
    say("%d: size %d mine %d, %d %d %d %d, similar %d unequal %d of %d", i, n, mine == MPI_UNDEFINED ? -1 : mine, to[0],
        to[1], to[2], to[3], relation == MPI_SIMILAR, relation == MPI_UNEQUAL, size);
    MPI_Group_free(&g[i]);
  }
  MPI_Group_incl(all, 0, NULL, &g[0]);
  MPI_Group_compare(g[0], MPI_GROUP_EMPTY, &relation);
  say("empty %d, identical %d", g[0] == MPI_GROUP_EMPTY, relation == MPI_IDENT);
  MPI_Group_free(&low);
  MPI_Group_free(&high);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
