// SPDX-License-Identifier: BSD-3-Clause
// Operators of the program, one that does not commute, and MPI_MINLOC (MPI-4.1 6.9.4, 6.9.5).
// ranks: 4
#include "../twin.h"

static void affine(void* in, void* inout, int* n, MPI_Datatype* type) {
  long *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < *n; ++i, a += 2, b += 2) {
    const long x = a[0] * b[0], y = a[1] * b[0] + b[1];
    b[0] = x;
    b[1] = y;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  long v[4] = {rank + 2, rank + 1, rank + 1, 3}, got[4] = {0};
  MPI_Datatype pair;
  MPI_Op op;
  int commutes = -1;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(affine, 0, &op);
  MPI_Op_commutative(op, &commutes);
  MPI_Allreduce(v, got, 2, pair, op, MPI_COMM_WORLD);
  say("%ld %ld %ld %ld, commutes %d", got[0], got[1], got[2], got[3], commutes);
  MPI_Scan(v, got, 2, pair, op, MPI_COMM_WORLD);
  say("%ld %ld %ld %ld", got[0], got[1], got[2], got[3]);
  MPI_Reduce(v, got, 2, pair, op, 2, MPI_COMM_WORLD);
  if (rank == 2) say("%ld %ld %ld %ld", got[0], got[1], got[2], got[3]);
  MPI_Reduce_local(v, got, 1, pair, op);
  if (rank == 2) say("local %ld %ld", got[0], got[1]);
  struct {
    double v;
    int i;
  } mine = {rank % 2 ? 1.5 : 2.5, rank}, least, most;
  MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  say("%g at %d, %g at %d", least.v, least.i, most.v, most.i);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
