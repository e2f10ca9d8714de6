/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a plate: Jacobi steps on rows that are divided among ranks, each of which exchanges its outer rows with the
 * ranks above and below.
 *
 * relax() is what a program with a process for each rank has. It is given a communicator and does not care whether the
 * ranks are processes or threads:
 *
 *     mpiexec -n 4 ./halo            4 processes, MPI_COMM_WORLD
 *     mpiexec -n 2 ./halo 2          2 processes of 2 threads: 4 endpoints
 *     mpiexec -n 2 ./halo 0 40000    2 processes, and more steps than 300
 *
 * Both end with the same temperatures to the last bit, which rank 0 checks against its own computation of the whole.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raddle/raddle.h"

enum { rows = 240, columns = 200, up_tag = 1, down_tag = 2, result_tag = 3 };

typedef double row[columns];

static int steps = 300;

/* A hot upper edge; row 0 and the last row of the plate, and both columns at the sides, never change. */
static void fill(row* plate, int first, int count) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < columns; ++j) plate[i][j] = first + i == 0 ? 100.0 : 0.0;
}

/* One step for rows 1 to count; rows 0 and count + 1 belong to the neighbours. */
static void step(row* now, row* next, int first, int count) {
  for (int i = 1; i <= count; ++i) {
    memcpy(next[i], now[i], sizeof(row));
    if (first + i - 1 == 0 || first + i - 1 == rows - 1) continue;
    for (int j = 1; j < columns - 1; ++j)
      next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
  }
}

static int first_row(int rank, int size) { return (int)((long)rows * rank / size); }

/* Whether the plate of all ranks is what one rank alone computes. Says so on rank 0. */
static int check(MPI_Comm comm, row* mine, int count) {
  int rank, size, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank != 0) {
    MPI_Send(mine, count * columns, MPI_DOUBLE, 0, result_tag, comm);
    return 0;
  }
  row* plate = calloc((size_t)rows, sizeof(row));
  memcpy(plate, mine, (size_t)count * sizeof(row));
  for (int other = 1; other < size; ++other) {
    const int first = first_row(other, size);
    MPI_Recv(plate[first], (first_row(other + 1, size) - first) * columns, MPI_DOUBLE, other, result_tag, comm,
             MPI_STATUS_IGNORE);
  }
  row* now = calloc((size_t)rows + 2, sizeof(row));
  row* next = calloc((size_t)rows + 2, sizeof(row));
  fill(now + 1, 0, rows);
  for (int s = 0; s < steps; ++s) {
    step(now, next, 0, rows);
    row* const swapped = now;
    now = next;
    next = swapped;
  }
  wrong = memcmp(plate, now + 1, (size_t)rows * sizeof(row)) != 0;
  printf("halo: %d ranks, %d steps: %s, %.6f in the middle\n", size, steps,
         wrong ? "NOT what one rank computes" : "as one rank computes it", plate[rows / 2][columns / 2]);
  free(next);
  free(now);
  free(plate);
  return wrong;
}

/* What a rank does, be it a process or a thread. */
static int relax(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int first = first_row(rank, size);
  const int count = first_row(rank + 1, size) - first;
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  row* now = calloc((size_t)count + 2, sizeof(row));
  row* next = calloc((size_t)count + 2, sizeof(row));
  fill(now + 1, first, count);
  for (int s = 0; s < steps; ++s) {
    MPI_Request requests[4];
    MPI_Irecv(now[0], columns, MPI_DOUBLE, above, down_tag, comm, &requests[0]);
    MPI_Irecv(now[count + 1], columns, MPI_DOUBLE, below, up_tag, comm, &requests[1]);
    MPI_Isend(now[1], columns, MPI_DOUBLE, above, up_tag, comm, &requests[2]);
    MPI_Isend(now[count], columns, MPI_DOUBLE, below, down_tag, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    step(now, next, first, count);
    row* const swapped = now;
    now = next;
    next = swapped;
  }
  const int wrong = check(comm, now + 1, count);
  free(next);
  free(now);
  return wrong;
}

/* Each of so many ranks needs a thread: without one the others would wait for it. */
static void expect_threads(int wanted) {
  const int given = omp_get_num_threads();
  if (given == wanted) return;
  fprintf(stderr, "halo: OpenMP gives %d threads, and %d are needed (OMP_THREAD_LIMIT?)\n", given, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  const int threads = argc > 1 ? atoi(argv[1]) : 0;
  if (argc > 2) steps = atoi(argv[2]);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (threads < 1) {
    wrong = relax(MPI_COMM_WORLD);
  } else {
    MPI_Comm* endpoints = malloc((size_t)threads * sizeof(MPI_Comm));
    MPIX_Comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, endpoints);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads) reduction(| : wrong)
    {
      expect_threads(threads);
      wrong = relax(endpoints[omp_get_thread_num()]);
    }
    for (int i = 0; i < threads; ++i) MPI_Comm_free(&endpoints[i]);
    free(endpoints);
  }
  MPI_Finalize();
  return wrong;
}
