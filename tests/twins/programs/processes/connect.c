// The ranks of one world connect: each half by its own group, twice over one port, and by the name that was published
// (MPI-4.1 11.9).
// ranks: 4
// except: mpich/*: MPI_Open_port of four processes fails (docs/evidence/mpi-notes.md)
#include "../twin.h"

int main(int argc, char** argv) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half, between, both;
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), upper = rank >= size / 2;
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
  for (int round = 0; round < 2; ++round) {
    int remote, got = -1, sum = 0;
    if (upper) {
      MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &between);
    } else {
      MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between);
    }
    MPI_Comm_remote_size(between, &remote);
    const int own = rank_of(between);
    MPI_Sendrecv(&rank, 1, MPI_INT, own % remote, 3, &got, 1, MPI_INT, own % remote, 3, between, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
    MPI_Intercomm_merge(between, upper, &both);
    say("round %d: %d of %d and %d, from %d, sum %d, merged %d of %d", round, own, size_of(between), remote, got, sum,
        rank_of(both), size_of(both));
    MPI_Comm_free(&both);
    MPI_Comm_disconnect(&between);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Close_port(port);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
