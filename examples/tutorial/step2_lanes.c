/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator for each thread. Sparks stay with the first thread, on MPI_COMM_WORLD. */
#include <stdlib.h>

#include "raddle/raddle.h"
#include "step.h"

static MPI_Comm* lane;

static void begin(Strip* strip) {
  slow.begin(strip);
  lane = malloc((size_t)strip->threads * sizeof(MPI_Comm));
  Raddle_Lanes_create(MPI_COMM_WORLD, strip->threads, MPI_INFO_NULL, lane);
}

static void spread(Part* part, int time) {
  const Strip* const strip = part->strip;
  const int above = strip->process > 0 ? strip->process - 1 : MPI_PROC_NULL;
  const int below = strip->process < strip->processes - 1 ? strip->process + 1 : MPI_PROC_NULL;
  exchange_borders(part, time, lane[part->thread], above, below, 0);
  relax(part, time, 1, strip->count);
}

static void end(const Strip* strip, int time) {
  Raddle_Lanes_free(strip->threads, lane);
  free(lane);
  slow.end(strip, time);
}

const Step lanes = {"lanes", begin, spread, send_sparks_of_all, end};
