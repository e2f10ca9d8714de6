/* SPDX-License-Identifier: BSD-3-Clause */
#include "step.h"

void advance(const Step* step, Part* part, int time) {
  step->spread(part, time);
  jump(part, time);
  step->send_sparks(part);
#pragma omp barrier /* the threads of a process see each other's columns */
}

void exchange_borders(const Part* part, int time, MPI_Comm comm, int above, int below, int tag) {
  enum { up, down };
  Row* const now = field_at(part->strip, time);
  const int last = part->strip->count, j = part->first;
  MPI_Request requests[4];
  MPI_Irecv(&now[0][j], part->count, MPI_DOUBLE, above, 2 * tag + down, comm, &requests[0]);
  MPI_Irecv(&now[last + 1][j], part->count, MPI_DOUBLE, below, 2 * tag + up, comm, &requests[1]);
  MPI_Isend(&now[1][j], part->count, MPI_DOUBLE, above, 2 * tag + up, comm, &requests[2]);
  MPI_Isend(&now[last][j], part->count, MPI_DOUBLE, below, 2 * tag + down, comm, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}
