/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a plate once more, by threads that do not wait for each other in order to communicate: Jacobi steps, of five
 * points a cell, on blocks of a plate that is divided among ranks in both directions.
 *
 * Each of a block's four borders is one partitioned message in each step. Its partitions are divided among the threads,
 * who make theirs ready as soon as they have computed them, and go on to the inner cells while those are on their way.
 * At the end of a step one thread waits for the borders of the neighbours.
 *
 *     mpiexec -n 4 ./halo_partitioned              4 processes with as many threads as OpenMP gives
 *     mpiexec -n 4 ./halo_partitioned 2            with 2 threads each
 *     mpiexec -n 2 ./halo_partitioned 2 2          2 processes with 2 endpoints of 2 threads each: 4 ranks
 *
 * Raddle's names are there with any MPI; where it has MPI_Psend_init and its relatives, those do the same on a
 * communicator that is attached, and on endpoints. It ends with the same temperatures as one rank computes, to the last
 * bit, which rank 0 checks.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raddle/raddle.h"

enum { rows = 240, columns = 200, steps = 200, cells_each = 8, result_tag = 9 };
enum { up, down, left, right, directions };

/* A rank's cells are 1 to height and 1 to width; around them are those of the neighbours. */
typedef struct {
  int top, height, first, width;
  double *now, *next;
} Block;

/* One side of it, with what goes out and what comes in. */
typedef struct {
  int length, partitions;
  double *out, *in;
} Border;

static int part_of(int whole, int part, int parts) { return (int)((long)whole * part / parts); }

static size_t at(const Block* block, int i, int j) { return (size_t)i * (size_t)(block->width + 2) + (size_t)j; }

/* A hot upper edge, whose row may be the neighbour's. */
static void begin(Block* block) {
  const size_t cells = (size_t)(block->height + 2) * (size_t)(block->width + 2);
  const int hot = 1 - block->top;
  block->now = calloc(cells, sizeof(double));
  block->next = calloc(cells, sizeof(double));
  for (int j = 0; j < block->width + 2 && hot >= 0; ++j) block->now[at(block, hot, j)] = 100.0;
}

static void end(Block* block) {
  free(block->now);
  free(block->next);
}

/* What becomes of a cell. Those at the edges of the plate never change. */
static double relaxed(const Block* block, int i, int j) {
  const double* const now = block->now;
  const int row = block->top + i - 1;
  const int column = block->first + j - 1;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) return now[at(block, i, j)];
  return 0.25 *
         (now[at(block, i - 1, j)] + now[at(block, i + 1, j)] + now[at(block, i, j - 1)] + now[at(block, i, j + 1)]);
}

static void step_rows(const Block* block, int first, int last, int from, int to) {
  for (int i = first; i <= last; ++i)
    for (int j = from; j <= to; ++j) block->next[at(block, i, j)] = relaxed(block, i, j);
}

static void swap(Block* block) {
  double* const swapped = block->now;
  block->now = block->next;
  block->next = swapped;
}

/* The cell of a border, and the neighbour's behind it. */
static size_t inside(const Block* block, int direction, int k) {
  if (direction == up || direction == down) return at(block, direction == up ? 1 : block->height, k + 1);
  return at(block, k + 1, direction == left ? 1 : block->width);
}

static size_t outside(const Block* block, int direction, int k) {
  if (direction == up || direction == down) return at(block, direction == up ? 0 : block->height + 1, k + 1);
  return at(block, k + 1, direction == left ? 0 : block->width + 1);
}

/* Computes a thread's part of a border, and makes it ready. The corners of a block are in two borders: both get the
   value, but only the thread of the upper or lower one stores it. */
static void step_border(const Block* block, Border* border, int direction, MPI_Request send) {
  const int thread = omp_get_thread_num();
  const int threads = omp_get_num_threads();
  const int last = part_of(border->partitions, thread + 1, threads);
  for (int partition = part_of(border->partitions, thread, threads); partition < last; ++partition) {
    for (int k = partition * cells_each; k < (partition + 1) * cells_each && k < border->length; ++k) {
      const size_t place = inside(block, direction, k);
      const int i = (int)(place / (size_t)(block->width + 2));
      const int j = (int)(place % (size_t)(block->width + 2));
      border->out[k] = relaxed(block, i, j);
      if (direction == up || direction == down || (i > 1 && i < block->height)) block->next[place] = border->out[k];
    }
    Raddle_Pready(partition, send);
  }
}

/* All steps, by all threads of a rank. requests: the sends to the four directions, and the receives from there. */
static void relax(Block* block, Border* borders, MPI_Request* requests) {
#pragma omp parallel
  for (int s = 0; s < steps; ++s) {
#pragma omp master
    MPI_Startall(2 * directions, requests);
#pragma omp barrier
    for (int d = 0; d < directions; ++d) step_border(block, &borders[d], d, requests[d]);
    const int inner = block->height - 2;
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    if (inner > 0)
      step_rows(block, 2 + part_of(inner, thread, threads), 1 + part_of(inner, thread + 1, threads), 2,
                block->width - 1);
#pragma omp barrier
#pragma omp master
    {
      MPI_Waitall(2 * directions, requests, MPI_STATUSES_IGNORE);
      for (int d = 0; d < directions; ++d)
        for (int k = 0; k < borders[d].length; ++k) block->next[outside(block, d, k)] = borders[d].in[k];
      swap(block);
    }
#pragma omp barrier
  }
}

/* What rank number `rank` has of the plate. */
static Block block_of(int rank, const int* grid) {
  const int above = rank / grid[1];
  const int before = rank % grid[1];
  Block block = {.top = part_of(rows, above, grid[0]), .first = part_of(columns, before, grid[1])};
  block.height = part_of(rows, above + 1, grid[0]) - block.top;
  block.width = part_of(columns, before + 1, grid[1]) - block.first;
  return block;
}

/* Whether the plate of all ranks is what one rank alone computes. Says so on rank 0. */
static int check(MPI_Comm comm, const Block* mine, const int* grid) {
  int rank, size, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank != 0) {
    for (int i = 1; i <= mine->height; ++i)
      MPI_Send(&mine->now[at(mine, i, 1)], mine->width, MPI_DOUBLE, 0, result_tag, comm);
    return 0;
  }
  const int alone[2] = {1, 1};
  Block whole = block_of(0, alone);
  begin(&whole);
  for (int s = 0; s < steps; ++s) {
    step_rows(&whole, 1, rows, 1, columns);
    swap(&whole);
  }
  double row[columns];
  for (int other = 0; other < size; ++other) {
    const Block block = block_of(other, grid);
    for (int i = 1; i <= block.height; ++i) {
      if (other == 0)
        memcpy(row, &mine->now[at(mine, i, 1)], (size_t)block.width * sizeof(double));
      else
        MPI_Recv(row, block.width, MPI_DOUBLE, other, result_tag, comm, MPI_STATUS_IGNORE);
      wrong |= memcmp(row, &whole.now[at(&whole, block.top + i, block.first + 1)],
                      (size_t)block.width * sizeof(double)) != 0;
    }
  }
  printf("halo_partitioned: %d ranks, %d steps: %s, %.6f near the hot edge\n", size, steps,
         wrong ? "NOT what one rank computes" : "as one rank computes it", whole.now[at(&whole, 10, columns / 2)]);
  end(&whole);
  return wrong;
}

/* What a rank does, be it a process or a thread with others to help it. */
static int work(MPI_Comm comm) {
  int rank, size, grid[2] = {0, 0};
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Dims_create(size, 2, grid);
  Block block = block_of(rank, grid);
  begin(&block);
  const int neighbours[directions] = {
      [up] = rank >= grid[1] ? rank - grid[1] : MPI_PROC_NULL,
      [down] = rank + grid[1] < size ? rank + grid[1] : MPI_PROC_NULL,
      [left] = rank % grid[1] > 0 ? rank - 1 : MPI_PROC_NULL,
      [right] = rank % grid[1] < grid[1] - 1 ? rank + 1 : MPI_PROC_NULL,
  };
  Border borders[directions];
  MPI_Request requests[2 * directions];
  /* Nothing to do on endpoints. */
  Raddle_Partitioned_attach(comm);
  for (int d = 0; d < directions; ++d) {
    Border* const border = &borders[d];
    border->length = d == up || d == down ? block.width : block.height;
    border->partitions = (border->length + cells_each - 1) / cells_each;
    const int room = border->partitions * cells_each;
    border->out = calloc((size_t)room, sizeof(double));
    border->in = calloc((size_t)room, sizeof(double));
    /* Tags say in which direction it goes. Nobody looks at parts of what comes: for the receiver it is one. */
    const int opposite = d ^ 1;
    Raddle_Psend_init(border->out, border->partitions, cells_each, MPI_DOUBLE, neighbours[d], d, comm, MPI_INFO_NULL,
                      &requests[d]);
    Raddle_Precv_init(border->in, 1, room, MPI_DOUBLE, neighbours[d], opposite, comm, MPI_INFO_NULL,
                      &requests[directions + d]);
  }
  relax(&block, borders, requests);
  for (int r = 0; r < 2 * directions; ++r) MPI_Request_free(&requests[r]);
  const int wrong = check(comm, &block, grid);
  for (int d = 0; d < directions; ++d) {
    free(borders[d].out);
    free(borders[d].in);
  }
  end(&block);
  return wrong;
}

/* Each of so many ranks needs a thread: without one the others would wait for it. */
static void expect_threads(int wanted) {
  const int given = omp_get_num_threads();
  if (given == wanted) return;
  fprintf(stderr, "halo_partitioned: OpenMP gives %d threads, and %d are needed (OMP_THREAD_LIMIT?)\n", given, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  const int threads = argc > 1 ? atoi(argv[1]) : 0;
  const int ranks = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (threads > 0) omp_set_num_threads(threads);
  if (ranks < 1) {
    wrong = work(MPI_COMM_WORLD);
  } else {
    MPI_Comm* endpoints = malloc((size_t)ranks * sizeof(MPI_Comm));
    MPIX_Comm_create_endpoints(MPI_COMM_WORLD, ranks, MPI_INFO_NULL, endpoints);
    omp_set_max_active_levels(2);
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
