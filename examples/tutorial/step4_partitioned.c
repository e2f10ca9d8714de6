/* SPDX-License-Identifier: BSD-3-Clause */
/* A border is one message in parts: each thread says when its part is ready, and it travels while the rest is computed.
 */
#include <sched.h>

#include "raddle/raddle.h"
#include "step.h"

enum { up, down };

/* Of even and odd times, since a request is for one buffer. Borders that come are those of the process above, which
   sends them down, and of the one below. */
static MPI_Request sends[2][2], receives[2][2];

static void begin(Strip* strip) {
  const int above = strip->process > 0 ? strip->process - 1 : MPI_PROC_NULL;
  const int below = strip->process < strip->processes - 1 ? strip->process + 1 : MPI_PROC_NULL;
  const int threads = strip->threads, last = strip->count, each = columns / threads;
  make_endpoints(strip);
  Raddle_Partitioned_attach(MPI_COMM_WORLD);
  for (int f = 0; f < 2; ++f) {
    Row* const row = strip->field[f];
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Info none = MPI_INFO_NULL;
    Raddle_Psend_init(row[1], threads, each, MPI_DOUBLE, above, up, comm, none, &sends[f][up]);
    Raddle_Psend_init(row[last], threads, each, MPI_DOUBLE, below, down, comm, none, &sends[f][down]);
    Raddle_Precv_init(row[0], threads, each, MPI_DOUBLE, above, down, comm, none, &receives[f][down]);
    Raddle_Precv_init(row[last + 1], threads, each, MPI_DOUBLE, below, up, comm, none, &receives[f][up]);
    MPI_Startall(2, sends[f]);
  }
  MPI_Startall(2, receives[0]);
  for (int way = up; way <= down; ++way) Raddle_Pready_range(0, threads - 1, sends[0][way]);
}

static void spread(Part* part, int time) {
  const int now = time % 2, next = 1 - now, last = part->strip->count;
  if (part->thread == 0) { /* all have read what came two steps ago */
    MPI_Waitall(2, receives[next], MPI_STATUSES_IGNORE);
    MPI_Startall(2, receives[next]);
  }
  for (int way = up; way <= down; ++way) {
    int there = 0;
    while (Raddle_Parrived(receives[now][way], part->thread, &there), !there) sched_yield();
  }
  relax(part, time, 1, 1);
  Raddle_Pready(part->thread, sends[next][up]);
  relax(part, time, last, last);
  Raddle_Pready(part->thread, sends[next][down]);
  relax(part, time, 2, last - 1);
  if (part->thread == 0) { /* the next step writes there */
    MPI_Waitall(2, sends[now], MPI_STATUSES_IGNORE);
    MPI_Startall(2, sends[now]);
  }
}

/* Every round that has begun is gone through to its end. */
static void end(const Strip* strip, int time) {
  const int now = time % 2, next = 1 - now;
  MPI_Waitall(2, receives[next], MPI_STATUSES_IGNORE);
  MPI_Startall(2, receives[next]);
  for (int way = up; way <= down; ++way) Raddle_Pready_range(0, strip->threads - 1, sends[next][way]);
  MPI_Waitall(4, receives[0], MPI_STATUSES_IGNORE);
  MPI_Waitall(4, sends[0], MPI_STATUSES_IGNORE);
  for (int f = 0; f < 2; ++f) {
    for (int way = up; way <= down; ++way) {
      MPI_Request_free(&sends[f][way]);
      MPI_Request_free(&receives[f][way]);
    }
  }
  end_endpoints(strip, time);
}

const Step partitioned = {"partitioned", begin, spread, send_sparks_by_alltoallv, end};
