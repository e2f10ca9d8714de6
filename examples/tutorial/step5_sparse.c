/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparks go to whoever gets some, and nobody tells the others that nothing comes. */
#include "raddle/raddle.h"
#include "step.h"

static void begin(Strip* strip) { partitioned.begin(strip); }
static void spread(Part* part, int time) { partitioned.spread(part, time); }
static void end(const Strip* strip, int time) { partitioned.end(strip, time); }

static void send_sparks(Part* part) {
  int dests[part->parts], messages = 0;
  MPI_Count offsets[part->parts + 1];
  offsets[0] = 0;
  for (int number = 0; number < part->parts; ++number) {
    if (part->leaves[number] == 0) continue;
    dests[messages] = number;
    offsets[messages + 1] = offsets[messages] + part->leaves[number] * per_spark;
    ++messages;
  }
  Raddle_Sparse_messages got;
  Raddle_Sparse_exchange(part->leaving, messages, dests, offsets, MPI_DOUBLE, MPI_DOUBLE, MPI_INFO_NULL,
                         endpoint[part->thread], &got);
  if (got.count > 0) take_in(part, got.data, (int)(got.offsets[got.count] / per_spark));
  Raddle_Sparse_free(&got);
}

const Step sparse = {"sparse", begin, spread, send_sparks, end};
