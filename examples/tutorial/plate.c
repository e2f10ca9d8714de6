/* SPDX-License-Identifier: BSD-3-Clause */
#include "plate.h"

#include <stdlib.h>
#include <string.h>

static int share(int all, int index, int count) { return (int)((long)all * index / count); }

static int holder(int all, int place, int count) {
  int index = (int)((long)place * count / all);
  while (share(all, index + 1, count) <= place) ++index;
  return index;
}

static unsigned long long mixed(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/* Some temperature everywhere, the same for whoever makes it. The plate's edges keep theirs. */
void make_strip(Strip* strip, int process, int processes, int threads) {
  *strip = (Strip){.process = process, .processes = processes, .threads = threads};
  strip->first = share(rows, process, processes);
  strip->count = share(rows, process + 1, processes) - strip->first;
  for (int f = 0; f < 2; ++f) {
    strip->field[f] = calloc((size_t)strip->count + 2, sizeof(Row));
    for (int i = 1; i <= strip->count; ++i)
      for (int j = 0; j < columns; ++j)
        strip->field[f][i][j] = (double)(mixed((unsigned long long)(strip->first + i) * columns + (unsigned)j) % 100);
  }
}

void end_strip(Strip* strip) {
  for (int f = 0; f < 2; ++f) free(strip->field[f]);
}

void make_part(Part* part, Strip* strip, int thread) {
  *part = (Part){.strip = strip, .thread = thread, .number = strip->process * strip->threads + thread};
  part->parts = strip->processes * strip->threads;
  part->first = share(columns, thread, strip->threads);
  part->count = share(columns, thread + 1, strip->threads) - part->first;
  part->spark = malloc(all_sparks * sizeof(Spark));
  part->leaving = malloc(all_sparks * sizeof(Spark));
  part->leaves = calloc((size_t)part->parts, sizeof(int));
  for (int i = 0; i < all_sparks; ++i) {
    const unsigned long long chance = mixed((unsigned long long)i + 1);
    const Spark made = {i, (double)(chance % rows), (double)((chance >> 32) % columns), 0.0};
    if (part_of(part, &made) == part->number) take_in(part, &made, 1);
  }
}

void end_part(Part* part) {
  free(part->leaves);
  free(part->leaving);
  free(part->spark);
}

void relax(const Part* part, int time, int low, int high) {
  Row* const now = field_at(part->strip, time);
  Row* const next = field_at(part->strip, time + 1);
  const int left = part->first == 0 ? 1 : part->first;
  const int end = part->first + part->count;
  const int right = end == columns ? columns - 1 : end;
  for (int i = low; i <= high; ++i) {
    const int row = part->strip->first + i - 1;
    if (row == 0 || row == rows - 1) continue;
    for (int j = left; j < right; ++j)
      next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
  }
}

int part_of(const Part* part, const Spark* spark) {
  const Strip* const strip = part->strip;
  return holder(rows, (int)spark->row, strip->processes) * strip->threads +
         holder(columns, (int)spark->column, strip->threads);
}

void take_in(Part* part, const Spark* sparks, int count) {
  if (count > 0) memcpy(part->spark + part->sparks, sparks, (size_t)count * sizeof(Spark));
  part->sparks += count;
}

/* Mostly a little way; one in sixteen lands anywhere. */
static void move(Spark* spark, int time) {
  const unsigned long long chance = mixed(((unsigned long long)spark->number << 32) + (unsigned long long)time + 1);
  const int far = chance % 16 == 0;
  const unsigned row = (unsigned)(chance >> 8) % (far ? rows : 3);
  const unsigned column = (unsigned)(chance >> 32) % (far ? columns : 9);
  spark->row = far ? row : ((int)spark->row + row + rows - 1) % rows;
  spark->column = far ? column : ((int)spark->column + column + columns - 4) % columns;
}

void jump(Part* part, int time) {
  Row* const now = field_at(part->strip, time);
  Spark left[all_sparks];
  int staying = 0, leaving = 0;
  memset(part->leaves, 0, (size_t)part->parts * sizeof(int));
  for (int i = 0; i < part->sparks; ++i) {
    Spark spark = part->spark[i];
    spark.seen += now[(int)spark.row - part->strip->first + 1][(int)spark.column];
    move(&spark, time);
    const int number = part_of(part, &spark);
    if (number == part->number) {
      part->spark[staying++] = spark;
    } else {
      left[leaving++] = spark;
      ++part->leaves[number];
    }
  }
  part->sparks = staying;
  for (int number = 0, at = 0; at < leaving; ++number)
    for (int i = 0; part->leaves[number] > 0 && i < leaving; ++i)
      if (part_of(part, &left[i]) == number) part->leaving[at++] = left[i];
}

static unsigned long long bits_of(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

unsigned long long checksum(const Part* part, int time) {
  Row* const field = field_at(part->strip, time);
  unsigned long long sum = 0;
  for (int i = 1; i <= part->strip->count; ++i)
    for (int j = part->first; j < part->first + part->count; ++j)
      sum += mixed(bits_of(field[i][j]) + (unsigned long long)(part->strip->first + i - 1) * columns + (unsigned)j);
  for (int i = 0; i < part->sparks; ++i) {
    const Spark* const spark = &part->spark[i];
    const unsigned long long place = (unsigned long long)spark->row * columns + (unsigned long long)spark->column;
    sum += mixed(mixed(bits_of(spark->seen) + (unsigned long long)spark->number) + place);
  }
  return sum;
}

unsigned long long checksum_alone(int time) {
  Strip whole;
  Part all;
  make_strip(&whole, 0, 1, 1);
  make_part(&all, &whole, 0);
  for (int t = 0; t < time; ++t) {
    relax(&all, t, 1, whole.count);
    jump(&all, t);
  }
  const unsigned long long sum = checksum(&all, time);
  end_part(&all);
  end_strip(&whole);
  return sum;
}
