// SPDX-License-Identifier: BSD-3-Clause
// So many communicators at once, and again after they were freed.
// args: 250 | 480
// except: */nodes: between nodes a communicator of ranks takes several of the MPI's, of which there are some 2000 (docs/endpoints.md)
// except: intel/2xN: Intel MPI's assertion in ch4_shm_coll.c ends a job of processes too that calls collectives on 480 communicators
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? atoi(argv[1]) : 100, rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm* comms = malloc((size_t)n * sizeof *comms);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) MPI_Comm_split(MPI_COMM_WORLD, rank % (1 + i % 2), 0, &comms[i]);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[n - 1]);
    say("round %d: sum %d", round, sum);
    for (int i = 0; i < n; ++i) MPI_Comm_free(&comms[i]);
  }
  free(comms);
  MPI_Finalize();
  return 0;
}
