/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tutorial's program (docs/use/tutorial.md) without its communication: heat spreads in a plate, and sparks jump
 * about on it and add up how hot it was wherever they have been.
 *
 * Each process has a strip of rows. Its threads share the strip, each has some of its columns: a part. Parts are
 * numbered process by process, thread by thread.
 */
#ifndef TUTORIAL_PLATE_H
#define TUTORIAL_PLATE_H

enum { rows = 128, columns = 1024, all_sparks = 256, per_spark = 4 };

typedef double Row[columns];

/* All doubles, so that it travels as `per_spark` of MPI_DOUBLE. */
typedef struct {
  double number, row, column, seen;
} Spark;

/* A process's rows, and one of each neighbour's: row 0 and row count + 1. The field of a time and that of the next. */
typedef struct {
  int process, processes, threads, first, count;
  Row* field[2];
} Strip;

/* A thread's columns of the strip, and the sparks that are there. */
typedef struct {
  Strip* strip;
  int thread, number, parts, first, count;
  int sparks;
  Spark* spark;
  Spark* leaving; /* by the number of the part that they leave for, of which each gets leaves[number] */
  int* leaves;
} Part;

void make_strip(Strip* strip, int process, int processes, int threads);
void make_part(Part* part, Strip* strip, int thread);
void end_part(Part* part);
void end_strip(Strip* strip);

static inline Row* field_at(const Strip* strip, int time) { return strip->field[time % 2]; }

/* The part's columns of some rows of the next time, from `low` to `high`, both included. */
void relax(const Part* part, int time, int low, int high);

/* Sparks look and jump; those that have left the part are put into `leaving`. */
void jump(Part* part, int time);

int part_of(const Part* part, const Spark* spark);
void take_in(Part* part, const Spark* sparks, int count);

/* Equal for equal fields and sparks, however they are divided; that of all parts is the sum. */
unsigned long long checksum(const Part* part, int time);

/* That of the whole plate at that time, as one thread alone computes it. */
unsigned long long checksum_alone(int time);

#endif
