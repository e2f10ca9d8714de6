// SPDX-License-Identifier: BSD-3-Clause
// So many communicators at once, and as often again after they were freed.
// args: 150 2 | 600 1
// except: */nodes: between nodes a communicator of ranks takes several of the MPI's, of which there are some 2000 (docs/use/endpoints-mpi.md)
// except: intel/2xN: Intel MPI's assertion in ch4_shm_coll.c ends a job of processes too that calls collectives on as many communicators
// except: mpich/attached: where processes outnumber the CPUs, so many that agree on partitioned communication take half a minute; many.c has fewer
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = atoi(argv[1]), rounds = atoi(argv[2]), rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm* comms = malloc((size_t)n * sizeof *comms);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < n; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[n - 1]);
    say("round %d: sum %d", round, sum);
    for (int i = 0; i < n; ++i) MPI_Comm_free(&comms[i]);
  }
  free(comms);
  MPI_Finalize();
  return 0;
}
