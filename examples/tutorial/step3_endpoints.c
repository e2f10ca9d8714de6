/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads are ranks: each reaches any other one, and takes part in collectives. */
#include <stdlib.h>

#include "raddle/raddle.h"
#include "step.h"

MPI_Comm* endpoint;

void make_endpoints(Strip* strip) {
  endpoint = malloc((size_t)strip->threads * sizeof(MPI_Comm));
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, strip->threads, MPI_INFO_NULL, endpoint);
}

static void spread(Part* part, int time) {
  const Strip* const strip = part->strip;
  const int above = strip->process > 0 ? part->number - strip->threads : MPI_PROC_NULL;
  const int below = strip->process < strip->processes - 1 ? part->number + strip->threads : MPI_PROC_NULL;
  exchange_borders(part, time, endpoint[part->thread], above, below, 0);
  relax(part, time, 1, strip->count);
}

void send_sparks_by_alltoallv(Part* part) {
  int sends[part->parts], from[part->parts], comes[part->parts], to[part->parts];
  for (int number = 0, at = 0; number < part->parts; at += sends[number++]) {
    from[number] = at;
    sends[number] = part->leaves[number] * per_spark;
  }
  MPI_Alltoall(sends, 1, MPI_INT, comes, 1, MPI_INT, endpoint[part->thread]);
  int at = 0;
  for (int number = 0; number < part->parts; at += comes[number++]) to[number] = at;
  MPI_Alltoallv(part->leaving, sends, from, MPI_DOUBLE, part->spark + part->sparks, comes, to, MPI_DOUBLE,
                endpoint[part->thread]);
  part->sparks += at / per_spark;
}

void end_endpoints(const Strip* strip, int time) {
  (void)time;
  for (int thread = 0; thread < strip->threads; ++thread) MPI_Comm_free(&endpoint[thread]);
  free(endpoint);
}

const Step endpoints = {"endpoints", make_endpoints, spread, send_sparks_by_alltoallv, end_endpoints};
