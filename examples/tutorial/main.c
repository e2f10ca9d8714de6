/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpiexec -n 2 ./tutorial STEP [THREADS [TIMES]]
 *
 * The program of docs/use/tutorial.md: so many steps in time by the threads of each process, which communicate as that
 * step of the tutorial does: slow, lanes, endpoints, partitioned or sparse. Says how long it took, and whether all is
 * as one thread alone computes it.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step.h"

static const Step* step_of(const char* name) {
  const Step* const all[] = {&slow, &lanes, &endpoints, &partitioned, &sparse};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

/* Each of the parts needs a thread: without one the others would wait for it. */
static void expect_threads(int wanted) {
  const int given = omp_get_num_threads();
  if (given == wanted) return;
  fprintf(stderr, "tutorial: OpenMP gives %d threads, and %d are needed (OMP_THREAD_LIMIT?)\n", given, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  const Step* const step = argc > 1 ? step_of(argv[1]) : NULL;
  const int threads = argc > 2 ? atoi(argv[2]) : 2, times = argc > 3 ? atoi(argv[3]) : 200;
  if (step == NULL || threads < 1 || columns % threads != 0 || times < 1) {
    fprintf(stderr, "usage: tutorial slow|lanes|endpoints|partitioned|sparse [THREADS, which divide %d [TIMES]]\n",
            columns);
    return 2;
  }
  int process, processes, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  Strip strip;
  make_strip(&strip, process, processes, threads);
  step->begin(&strip);
  MPI_Barrier(MPI_COMM_WORLD);
  unsigned long long own = 0, all = 0;
  const double began = MPI_Wtime();
  omp_set_dynamic(0);
#pragma omp parallel num_threads(threads) reduction(+ : own)
  {
    expect_threads(threads);
    Part part;
    make_part(&part, &strip, omp_get_thread_num());
    for (int time = 0; time < times; ++time) advance(step, &part, time);
    own = checksum(&part, times);
    end_part(&part);
  }
  const double each = (MPI_Wtime() - began) / times;
  step->end(&strip, times);
  end_strip(&strip);
  MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  const int wrong = all != checksum_alone(times);
  if (process == 0)
    printf("%s: %d processes of %d threads, %d steps in time of %.1f us: %s\n", step->name, processes, threads, times,
           1e6 * each, wrong ? "NOT as one thread alone computes it" : "as one thread alone computes it");
  MPI_Finalize();
  return wrong;
}
