/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table that lies in the memory of all ranks, and into which all of them count numbers at the same time, without
 * a message: who finds a number first claims a place for it by MPI_Compare_and_swap, and each counts by
 * MPI_Fetch_and_op.
 *
 * A number belongs to the place that its hash names, or, where other numbers have taken that, to the next free one.
 * Places are dealt to ranks in blocks. Places never become free again, so a number that has one keeps it.
 *
 *     mpiexec -n 4 ./hash_table            4 processes
 *     mpiexec -n 2 ./hash_table 2          2 processes of 2 endpoints: each thread is a rank, which holds a part of its
 * own
 *
 * At the end each rank counts all numbers by itself, and compares that with its part of the table.
 */
#include <mpi.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raddle/raddle.h"

enum { numbers = 20000, different = 3000, places = 4096, nothing = 0 };

typedef struct {
  int64_t number, times;
} Place;

/* The table as one rank knows it. */
typedef struct {
  MPI_Comm comm;
  MPI_Win window;
  int rank, size, part; /* places of each rank */
  Place* own;
} Table;

static uint64_t hash_of(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

/* The same for whoever asks. Small ones come more often than others. */
static int64_t number_at(int position) {
  const uint64_t random = hash_of((uint64_t)position + 1);
  return 1 + (int64_t)(random % different) * (int64_t)(random >> 32 & 0xffff) / 0x10000;
}

static void open_table(Table* table, MPI_Comm comm) {
  table->comm = comm;
  MPI_Comm_rank(comm, &table->rank);
  MPI_Comm_size(comm, &table->size);
  table->part = (places + table->size - 1) / table->size;
  const MPI_Aint bytes = (MPI_Aint)table->part * (MPI_Aint)sizeof(Place);
  MPI_Win_allocate(bytes, sizeof(int64_t), MPI_INFO_NULL, comm, &table->own, &table->window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, table->rank, 0, table->window);
  memset(table->own, nothing, (size_t)bytes);
  MPI_Win_unlock(table->rank, table->window);
  MPI_Barrier(comm); /* every part is empty now */
}

/* In an epoch for all ranks. Returns how often the number had been counted before. */
static int64_t count(const Table* table, int64_t number) {
  static const int64_t none = nothing, one = 1;
  for (int place = (int)(hash_of((uint64_t)number) % places);; place = (place + 1) % places) {
    const int owner = place / table->part;
    const MPI_Aint at = place % table->part * 2; /* in units of the window: a place is two */
    int64_t was, before;
    MPI_Compare_and_swap(&number, &none, &was, MPI_INT64_T, owner, at, table->window);
    MPI_Win_flush(owner, table->window);
    if (was != nothing && was != number) continue; /* another number's */
    MPI_Fetch_and_op(&one, &before, MPI_INT64_T, owner, at + 1, MPI_SUM, table->window);
    MPI_Win_flush(owner, table->window);
    return before;
  }
}

/* What a rank finds out, and all together. */
enum { found_first, counted, in_places, wrong_places, facts };

static void check(const Table* table, long* found) {
  int64_t* times = calloc(different + 1, sizeof(int64_t));
  for (int i = 0; i < numbers; ++i) ++times[number_at(i)];
  MPI_Win_lock(MPI_LOCK_SHARED, table->rank, 0, table->window);
  for (int i = 0; i < table->part; ++i) {
    const Place* const place = &table->own[i];
    if (place->number == nothing) continue;
    ++found[in_places];
    found[counted] += (long)place->times;
    found[wrong_places] += place->number > different || place->times != times[place->number];
  }
  MPI_Win_unlock(table->rank, table->window);
  free(times);
}

/* What a rank does, be it a process or a thread. */
static int work(MPI_Comm comm) {
  Table table;
  long found[facts] = {0};
  open_table(&table, comm);
  MPI_Win_lock_all(0, table.window);
  for (int i = table.rank; i < numbers; i += table.size) found[found_first] += count(&table, number_at(i)) == 0;
  MPI_Win_unlock_all(table.window);
  MPI_Barrier(comm); /* all have counted */
  check(&table, found);
  MPI_Allreduce(MPI_IN_PLACE, found, facts, MPI_LONG, MPI_SUM, comm);
  const int wrong = found[wrong_places] != 0 || found[counted] != numbers || found[found_first] != found[in_places];
  if (table.rank == 0)
    printf("hash_table: %d ranks: %ld numbers, %ld different: %s\n", table.size, found[counted], found[in_places],
           wrong ? "NOT as one rank counts them" : "as one rank counts them");
  MPI_Win_free(&table.window);
  return wrong;
}

/* Each of so many ranks needs a thread: without one the others would wait for it. */
static void expect_threads(int wanted) {
  const int given = omp_get_num_threads();
  if (given == wanted) return;
  fprintf(stderr, "hash_table: OpenMP gives %d threads, and %d are needed (OMP_THREAD_LIMIT?)\n", given, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  const int ranks = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (ranks < 1) {
    wrong = work(MPI_COMM_WORLD);
  } else {
    MPI_Comm* endpoints = malloc((size_t)ranks * sizeof(MPI_Comm));
    MPIX_Comm_create_endpoints(MPI_COMM_WORLD, ranks, MPI_INFO_NULL, endpoints);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(ranks) reduction(| : wrong)
    {
      expect_threads(ranks);
      wrong = work(endpoints[omp_get_thread_num()]);
    }
    for (int i = 0; i < ranks; ++i) MPI_Comm_free(&endpoints[i]);
    free(endpoints);
  }
  MPI_Finalize();
  return wrong;
}
