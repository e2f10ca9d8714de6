/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads of a process exchange a message in each round, and compute before. On one communicator, told apart by
 * tags, as hybrid programs do; or as ranks of their own (endpoints):
 *
 *     mpiexec -n 1 ./exchange shared    [BYTES [WORK [ROUNDS]]]
 *     mpiexec -n 1 ./exchange endpoints [BYTES [WORK [ROUNDS]]]
 *
 * docs/use/profile.md goes from the profile of the first to the second.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raddle/raddle.h"

enum { threads = 2, usage = 2 };

static int bytes = 8; /* of a message; 8 at least, for the number of the round */
static long work = 0; /* steps of computing before each */
static long rounds = 300000;

static double compute(double value) {
  for (long i = 0; i < work; ++i) value = value * 0.999999 + 1e-6;
  return value;
}

/* What a thread does. @returns how many messages had another number than their round */
static long exchange(MPI_Comm comm, int to, int own_tag, int tag_there, double* computed) {
  char* const out = calloc(1, (size_t)bytes);
  char* const in = calloc(1, (size_t)bytes);
  long wrong = 0;
  for (long round = 0; round < rounds; ++round) {
    MPI_Request both[2];
    *computed = compute(*computed);
    memcpy(out, &round, sizeof round);
    MPI_Irecv(in, bytes, MPI_BYTE, to, own_tag, comm, &both[0]);
    MPI_Isend(out, bytes, MPI_BYTE, to, tag_there, comm, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    wrong += memcmp(in, &round, sizeof round) != 0;
  }
  free(in);
  free(out);
  return wrong;
}

int main(int argc, char** argv) {
  int provided;
  long wrong = 0;
  double computed = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const int endpoints = argc > 1 && strcmp(argv[1], "endpoints") == 0;
  if (argc > 2) bytes = atoi(argv[2]);
  if (argc > 3) work = atol(argv[3]);
  if (argc > 4) rounds = atol(argv[4]);
  if (argc < 2 || (!endpoints && strcmp(argv[1], "shared") != 0) || bytes < (int)sizeof(long)) {
    fprintf(stderr, "usage: exchange shared|endpoints [BYTES [WORK [ROUNDS]]], of 8 bytes or more\n");
    MPI_Abort(MPI_COMM_WORLD, usage);
  }
  MPI_Comm comms[threads] = {MPI_COMM_SELF, MPI_COMM_SELF};
  if (endpoints) MPIX_Comm_create_endpoints(MPI_COMM_SELF, threads, MPI_INFO_NULL, comms);
  omp_set_dynamic(0);
#pragma omp parallel num_threads(threads) reduction(+ : wrong, computed)
  {
    const int me = omp_get_thread_num(), other = threads - 1 - me;
    if (omp_get_num_threads() == threads) {
      wrong = exchange(comms[me], endpoints ? other : 0, me, other, &computed);
    } else {
      wrong = 1; /* nobody to exchange with */
    }
  }
  for (int i = 0; endpoints && i < threads; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  printf("exchange: %ld rounds of %d B, %s: %s (%.3f)\n", rounds, bytes, argv[1], wrong ? "WRONG" : "well", computed);
  return wrong != 0;
}
