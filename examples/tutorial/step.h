/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the tutorial: one way for threads to exchange what they have at their borders, and sparks. */
#ifndef TUTORIAL_STEP_H
#define TUTORIAL_STEP_H

#include <mpi.h>

#include "plate.h"

typedef struct {
  const char* name;
  void (*begin)(Strip* strip);               /* one thread of each process */
  void (*spread)(Part* part, int time);      /* every thread: exchanges borders and computes the next field */
  void (*send_sparks)(Part* part);           /* every thread: sends those that leave, and takes in those that come */
  void (*end)(const Strip* strip, int time); /* one thread of each process */
} Step;

extern const Step slow, lanes, endpoints, partitioned, sparse;

/* One step in time of a thread: the whole of the program, whichever the step. Every thread of the process calls it. */
void advance(const Step* step, Part* part, int time);

/* A thread's borders, by messages to two ranks. */
void exchange_borders(const Part* part, int time, MPI_Comm comm, int above, int below, int tag);

/* Sparks of all threads of a process, by one of them. */
void send_sparks_of_all(Part* part);
/* Sparks of a thread that is a rank. */
void send_sparks_by_alltoallv(Part* part);

/* The calling thread's endpoint. */
extern MPI_Comm* endpoint;
void make_endpoints(Strip* strip);
void end_endpoints(const Strip* strip, int time);

#endif
