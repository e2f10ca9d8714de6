// SPDX-License-Identifier: BSD-3-Clause
// A ping-pong, or windows of messages one way, in as few lines as they take: no line of it is raddle-bench's. Prints a
// sample a line: of a ping-pong half a round trip in us, of windows messages a second.
//
// ping_pong single|multiple BYTES SAMPLES BATCH [WINDOW]
//   BATCH   round trips, or windows, between two looks at the clock
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rank-th of the CPUs that the launcher has left to this process, if it has not chosen one. */
static void pin(int rank) {
  cpu_set_t all, own;
  sched_getaffinity(0, sizeof all, &all);
  if (CPU_COUNT(&all) < 2) return;
  CPU_ZERO(&own);
  for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all) && seen++ == rank) CPU_SET(cpu, &own);
  sched_setaffinity(0, sizeof own, &own);
}

static char *out, *in;

static void round_trip(int rank, int bytes) {
  if (rank == 0) MPI_Send(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(out, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

static void window_of(int rank, int bytes, int window, MPI_Request* requests) {
  for (int i = 0; i < window; ++i)
    if (rank == 0)
      MPI_Isend(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Irecv(in + (size_t)i * bytes, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
  if (rank == 0)
    MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int bytes = atoi(argv[2]), samples = atoi(argv[3]), batch = atoi(argv[4]),
            window = argc > 5 ? atoi(argv[5]) : 0;
  int provided, rank;
  MPI_Init_thread(&argc, &argv, strcmp(argv[1], "single") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pin(rank);
  out = calloc(1, bytes);
  in = calloc(window ? window : 1, bytes);
  MPI_Request* requests = malloc((window + 1) * sizeof *requests);
  double* found = malloc(samples * sizeof *found);
  // The first tenth warms up: the first thousand messages of Intel MPI take ten times as long.
  for (int i = -samples / 10; i < samples; ++i) {
    const double begun = MPI_Wtime();
    for (int k = 0; k < batch; ++k) window ? window_of(rank, bytes, window, requests) : round_trip(rank, bytes);
    const double seconds = MPI_Wtime() - begun;
    if (i >= 0) found[i] = window ? (double)batch * window / seconds : seconds / batch / 2 * 1e6;
  }
  for (int i = 0; rank == 0 && i < samples; ++i) printf("%.9g\n", found[i]);
  return MPI_Finalize();
}
