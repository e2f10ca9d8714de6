// Two processes are started by all ranks: messages and collectives between the groups, one group of both, and the parting
// (MPI-4.1 11.8.2, 11.10.4).
// ranks: 2
// except: intel/*: MPI_Comm_spawn ends the job with a crash (docs/evidence/mpi-notes.md)
// except: openmpi/attached: PRRTE starts a child without LD_PRELOAD, so it does not attach what both groups merge
#include "../twin.h"

static void talk(MPI_Comm between, int first) {
  const int rank = rank_of(between), size = size_of(between);
  int remote, inter, got = -1, sum = 0, root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL, said = first ? 42 : -1;
  MPI_Comm both;
  MPI_Comm_test_inter(between, &inter);
  MPI_Comm_remote_size(between, &remote);
  if (first) {
    MPI_Sendrecv(&rank, 1, MPI_INT, rank % remote, 7, &got, 1, MPI_INT, MPI_ANY_SOURCE, 7, between, MPI_STATUS_IGNORE);
  } else {
    for (int other = rank; other < remote; other += size) {
      MPI_Recv(&got, 1, MPI_INT, other, 7, between, MPI_STATUS_IGNORE);
      MPI_Send(&rank, 1, MPI_INT, other, 7, between);
    }
  }
  MPI_Bcast(&said, 1, MPI_INT, first ? root : 0, between);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  if (first) say("inter %d, %d of %d and %d, from %d, sum %d", inter, rank, size, remote, got, sum);
  MPI_Intercomm_merge(between, !first, &both);
  const int merged = rank_of(both);
  MPI_Allreduce(&merged, &sum, 1, MPI_INT, MPI_SUM, both);
  if (first) say("merged %d of %d, sum %d", merged, size_of(both), sum);
  if (!first && (said != 42 || inter != 1)) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Comm_free(&both);
}

int main(int argc, char** argv) {
  MPI_Comm parent, between;
  int codes[2] = {-1, -1};
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    if (argc != 2 || strcmp(argv[1], "a word") != 0) MPI_Abort(MPI_COMM_WORLD, 4);
    talk(parent, 0);
    MPI_Comm_disconnect(&parent);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) MPI_Abort(MPI_COMM_WORLD, 5);
    MPI_Finalize();
    return 0;
  }
  char word[] = "a word";
  char* arguments[] = {word, NULL};
  MPI_Comm_spawn(executable_of(argv[0]), arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, codes);
  say("codes %d %d", codes[0] == MPI_SUCCESS, codes[1] == MPI_SUCCESS);
  talk(between, 1);
  MPI_Comm_disconnect(&between);
  say("null %d", between == MPI_COMM_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
