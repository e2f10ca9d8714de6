/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Particles that fly through a box, and move between the ranks that it is divided among: nobody knows how many will
 * come and from whom, so each step ends with one sparse exchange.
 *
 * The box is a grid of domains without walls: what leaves on one side comes in on the other. Slow particles go to a
 * neighbour now and then, fast ones may land anywhere. A rank hands those that have left to their new owners, without a
 * word to those from whom nothing goes or comes.
 *
 *     mpiexec -n 4 ./particles            4 processes; the particles of each are moved by its OpenMP threads
 *     mpiexec -n 2 ./particles 2          2 processes of 2 endpoints: each thread is a rank and has a domain of its own
 *     mpiexec -n 4 ./particles 0 nbx      by one algorithm (docs/use/sparse.md) instead of the automatic choice
 *
 * At the end each particle is still there once, and is where it would be had it flown alone, to the last bit.
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raddle/raddle.h"

enum { particles_each = 2000, steps = 100, per_particle = 5 };

/* All doubles, so that a message is so many MPI_DOUBLEs: a number, and where it is and how fast in a box of 1 x 1. */
typedef struct {
  double number, x, y, vx, vy;
} Particle;

/* One rank's part of the box. */
typedef struct {
  MPI_Comm comm;
  MPI_Info info;
  int rank, size, grid[2];
  int count, room;
  Particle* all;
} Domain;

static double next_random(unsigned long long* state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* The same particle for whoever makes it. One in fifty is fast. */
static Particle particle_of(int number) {
  unsigned long long state = (unsigned long long)number * 2 + 1;
  for (int i = 0; i < 3; ++i) next_random(&state);
  const double speed = number % 50 == 0 ? 0.7 : 0.01;
  Particle made = {.number = number};
  made.x = next_random(&state);
  made.y = next_random(&state);
  made.vx = speed * (next_random(&state) - 0.5);
  made.vy = speed * (next_random(&state) - 0.5);
  return made;
}

static double inside(double place) {
  place -= floor(place);
  return place < 1.0 ? place : 0.0;
}

static void fly(Particle* particle) {
  particle->x = inside(particle->x + particle->vx);
  particle->y = inside(particle->y + particle->vy);
}

static int owner_of(const Domain* domain, const Particle* particle) {
  return (int)(particle->y * domain->grid[0]) * domain->grid[1] + (int)(particle->x * domain->grid[1]);
}

static void make_room(Domain* domain, int count) {
  if (count <= domain->room) return;
  domain->room = 2 * count;
  domain->all = realloc(domain->all, (size_t)domain->room * sizeof(Particle));
}

/* Threads of a rank that is a process share this; a rank that is a thread does it alone. */
static void fly_all(Domain* domain) {
#pragma omp parallel for if (omp_get_level() == 0)
  for (int i = 0; i < domain->count; ++i) fly(&domain->all[i]);
}

/* Sorts out who has left, in the order of their new owners, and keeps the others. Returns how many those are. */
static int leaving(Domain* domain, Particle* out, int* dests, MPI_Count* offsets, int* messages) {
  int* numbers = calloc((size_t)domain->size + 1, sizeof(int));
  int stay = 0, left = 0;
  Particle* gone = malloc((size_t)domain->count * sizeof(Particle) + 1);
  for (int i = 0; i < domain->count; ++i) {
    const int owner = owner_of(domain, &domain->all[i]);
    if (owner == domain->rank) {
      domain->all[stay++] = domain->all[i];
    } else {
      gone[left++] = domain->all[i];
      ++numbers[owner + 1];
    }
  }
  *messages = 0;
  offsets[0] = 0;
  for (int rank = 0; rank < domain->size; ++rank) {
    if (numbers[rank + 1] > 0) {
      dests[*messages] = rank;
      offsets[*messages + 1] = offsets[*messages] + (MPI_Count)numbers[rank + 1] * per_particle;
      ++*messages;
    }
    numbers[rank + 1] += numbers[rank];
  }
  for (int i = 0; i < left; ++i) out[numbers[owner_of(domain, &gone[i])]++] = gone[i];
  free(gone);
  free(numbers);
  domain->count = stay;
  return left;
}

/* The step's communication, whole. Returns how many particles have come. */
static int move_on(Domain* domain) {
  Particle* out = malloc((size_t)domain->count * sizeof(Particle) + 1);
  int* dests = malloc((size_t)domain->size * sizeof(int));
  MPI_Count* offsets = malloc(((size_t)domain->size + 1) * sizeof(MPI_Count));
  int messages;
  leaving(domain, out, dests, offsets, &messages);

  Raddle_Sparse_messages in;
  Raddle_Sparse_exchange(out, messages, dests, offsets, MPI_DOUBLE, MPI_DOUBLE, domain->info, domain->comm, &in);
  const int come = in.count == 0 ? 0 : (int)(in.offsets[in.count] / per_particle);
  make_room(domain, domain->count + come);
  if (come > 0) memcpy(&domain->all[domain->count], in.data, (size_t)come * sizeof(Particle));
  domain->count += come;
  Raddle_Sparse_free(&in);

  free(offsets);
  free(dests);
  free(out);
  return come;
}

/* Whether every particle is there once, in the domain where it belongs, and where it would be had it flown alone. Says
   so on rank 0. */
static int check(const Domain* domain, long moved) {
  const long expected = (long)particles_each * domain->size;
  char* seen = calloc((size_t)expected, 1);
  long sums[4] = {domain->count, 0, 0, moved}; /* particles, sum of their numbers, wrong ones, moves */
  for (int i = 0; i < domain->count; ++i) {
    const Particle* const particle = &domain->all[i];
    const int number = (int)particle->number;
    Particle alone = particle_of(number);
    for (int s = 0; s < steps; ++s) fly(&alone);
    sums[1] += number;
    sums[2] +=
        seen[number]++ || owner_of(domain, particle) != domain->rank || memcmp(particle, &alone, sizeof alone) != 0;
  }
  free(seen);
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_LONG, MPI_SUM, domain->comm);
  const int wrong = sums[0] != expected || sums[1] != expected * (expected - 1) / 2 || sums[2] != 0;
  if (domain->rank == 0) {
    const char* algorithm;
    Raddle_Sparse_algorithm(domain->comm, &algorithm);
    printf("particles: %d ranks, %d steps: %ld of %ld particles, %ld moves, last by %s: %s\n", domain->size, steps,
           sums[0], expected, sums[3], algorithm,
           wrong ? "NOT where they would be alone" : "each where it would be alone");
  }
  return wrong;
}

/* What a rank does, be it a process or a thread. */
static int work(MPI_Comm comm, const char* algorithm) {
  Domain domain = {.comm = comm};
  long moved = 0;
  MPI_Comm_rank(comm, &domain.rank);
  MPI_Comm_size(comm, &domain.size);
  MPI_Dims_create(domain.size, 2, domain.grid);
  MPI_Info_create(&domain.info);
  MPI_Info_set(domain.info, "raddle_sparse_algorithm", algorithm);
  /* Wherever a particle begins: the first exchange brings it home. */
  make_room(&domain, particles_each);
  domain.count = particles_each;
  for (int i = 0; i < particles_each; ++i) domain.all[i] = particle_of(domain.rank * particles_each + i);
  move_on(&domain);
  for (int s = 0; s < steps; ++s) {
    fly_all(&domain);
    moved += move_on(&domain);
  }
  const int wrong = check(&domain, moved);
  MPI_Info_free(&domain.info);
  free(domain.all);
  return wrong;
}

/* Each of so many ranks needs a thread: without one the others would wait for it. */
static void expect_threads(int wanted) {
  const int given = omp_get_num_threads();
  if (given == wanted) return;
  fprintf(stderr, "particles: OpenMP gives %d threads, and %d are needed (OMP_THREAD_LIMIT?)\n", given, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  const int ranks = argc > 1 ? atoi(argv[1]) : 0;
  const char* const algorithm = argc > 2 ? argv[2] : "auto";
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (ranks < 1) {
    wrong = work(MPI_COMM_WORLD, algorithm);
  } else {
    MPI_Comm* endpoints = malloc((size_t)ranks * sizeof(MPI_Comm));
    MPIX_Comm_create_endpoints(MPI_COMM_WORLD, ranks, MPI_INFO_NULL, endpoints);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(ranks) reduction(| : wrong)
    {
      expect_threads(ranks);
      wrong = work(endpoints[omp_get_thread_num()], algorithm);
    }
    for (int i = 0; i < ranks; ++i) MPI_Comm_free(&endpoints[i]);
    free(endpoints);
  }
  MPI_Finalize();
  return wrong;
}
