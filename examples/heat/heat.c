/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a ring of cells, in plain MPI: in every step a rank exchanges its outermost cells with its neighbours. There
 * is little to compute, so it is as fast as its messages are. A program to try Raddle on:
 *
 *     mpicc -O2 -pie -fPIE heat.c -o heat
 *     raddle try -- mpiexec -n 2 ./heat [STEPS]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells = 64 };

int main(int argc, char** argv) {
  double old[cells + 2], now[cells + 2], own = 0, sum = 0;
  const int steps = argc > 1 ? atoi(argv[1]) : 500000;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int i = 0; i < cells + 2; ++i) old[i] = rank == 0 && i == cells / 2 ? 1000 : 0;
  for (int step = 0; step < steps; ++step) {
    MPI_Sendrecv(&old[cells], 1, MPI_DOUBLE, right, 0, &old[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&old[1], 1, MPI_DOUBLE, left, 1, &old[cells + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 1; i <= cells; ++i) now[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
    memcpy(old, now, sizeof now);
  }
  for (int i = 1; i <= cells; ++i) own += now[i];
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("heat after %d steps: %.6f\n", steps, sum);
  MPI_Finalize();
  return 0;
}
