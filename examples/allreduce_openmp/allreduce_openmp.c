/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenMP threads that take part in MPI collectives: pi as the sum of a series, whose terms are divided among all
 * threads of all processes. Each thread has an endpoint of its own and calls MPI_Allreduce as if it were a process;
 * there is no reduction clause, and nobody waits for a thread that communicates for all.
 *
 *     mpiexec -n 2 ./allreduce_openmp          2 processes with as many threads as OpenMP gives
 *     mpiexec -n 2 ./allreduce_openmp 4        2 processes with 4 threads: 8 ranks
 *
 * Every rank checks what it got.
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "raddle/raddle.h"

enum { terms = 1000000 };

/* The part of 4 - 4/3 + 4/5 - ... that belongs to a rank. */
static double part(int rank, int size) {
  double sum = 0;
  for (int i = rank; i < terms; i += size) sum += (i % 2 == 0 ? 4.0 : -4.0) / (2.0 * i + 1);
  return sum;
}

/* What a rank does, be it a process or a thread. Whether its results are wrong. */
static int work(MPI_Comm comm) {
  int rank, size, ranks = 0;
  const int one = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  double pi = 0;
  const double mine = part(rank, size);
  MPI_Allreduce(&mine, &pi, 1, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, comm);
  const int wrong = ranks != size || fabs(pi - 3.141592653589793) > 2.0 / terms;
  if (rank == 0) printf("allreduce_openmp: %d ranks: pi is about %.6f\n", ranks, pi);
  if (wrong) printf("allreduce_openmp: rank %d of %d got %d ranks and %.6f\n", rank, size, ranks, pi);
  return wrong;
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc > 1) omp_set_num_threads(atoi(argv[1]));
  MPI_Comm* endpoints = malloc((size_t)omp_get_max_threads() * sizeof(MPI_Comm));
#pragma omp parallel reduction(| : wrong)
  {
    /* As many endpoints as there really are threads. */
#pragma omp master
    MPIX_Comm_create_endpoints(MPI_COMM_WORLD, omp_get_num_threads(), MPI_INFO_NULL, endpoints);
#pragma omp barrier
    wrong = work(endpoints[omp_get_thread_num()]);
    /* Freed one after another. */
#pragma omp critical
    MPI_Comm_free(&endpoints[omp_get_thread_num()]);
  }
  free(endpoints);
  MPI_Finalize();
  return wrong;
}
