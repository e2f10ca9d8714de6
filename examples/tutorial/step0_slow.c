/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the tutorial begins: all threads on one communicator, told apart by tags, and one of them for the sparks. */
#include <stdlib.h>
#include <string.h>

#include "step.h"

static void spread(Part* part, int time) {
  const Strip* const strip = part->strip;
  const int above = strip->process > 0 ? strip->process - 1 : MPI_PROC_NULL;
  const int below = strip->process < strip->processes - 1 ? strip->process + 1 : MPI_PROC_NULL;
  exchange_borders(part, time, MPI_COMM_WORLD, above, below, part->thread);
  relax(part, time, 1, strip->count);
}

/* What the threads give to the one that communicates, and what it has got for them. */
static Part** parts;
static Spark out[all_sparks], in[all_sparks];
static int arrived;

static void begin(Strip* strip) { parts = calloc((size_t)strip->threads, sizeof(Part*)); }

static void end(const Strip* strip, int time) {
  (void)strip, (void)time;
  free(parts);
}

/* Every process tells every other one how much will come, and then sends it. */
static void alltoallv(const Strip* strip) {
  const int processes = strip->processes, threads = strip->threads;
  int sends[processes], from[processes], comes[processes], to[processes];
  int at = 0;
  for (int process = 0; process < processes; ++process) {
    from[process] = at * per_spark;
    for (int t = 0; t < threads; ++t) {
      const Part* const part = parts[t];
      int before = 0, count = 0;
      for (int i = 0; i < process * threads; ++i) before += part->leaves[i];
      for (int i = 0; i < threads; ++i) count += part->leaves[process * threads + i];
      memcpy(out + at, part->leaving + before, (size_t)count * sizeof(Spark));
      at += count;
    }
    sends[process] = at * per_spark - from[process];
  }
  MPI_Alltoall(sends, 1, MPI_INT, comes, 1, MPI_INT, MPI_COMM_WORLD);
  for (int process = 0, place = 0; process < processes; place += comes[process++]) to[process] = place;
  MPI_Alltoallv(out, sends, from, MPI_DOUBLE, in, comes, to, MPI_DOUBLE, MPI_COMM_WORLD);
  arrived = (to[processes - 1] + comes[processes - 1]) / per_spark;
}

void send_sparks_of_all(Part* part) {
  parts[part->thread] = part;
#pragma omp barrier
#pragma omp master
  alltoallv(part->strip);
#pragma omp barrier
  for (int i = 0; i < arrived; ++i)
    if (part_of(part, &in[i]) == part->number) take_in(part, &in[i], 1);
}

const Step slow = {"slow", begin, spread, send_sparks_of_all, end};
