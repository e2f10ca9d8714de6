/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints of processes that were started by others, on what MPI_Intercomm_merge makes. */
#include <stdio.h>
#include <string.h>

#include "raddle/raddle.h"

/* Each endpoint hears of the one before it. */
static int went_round(MPI_Comm comm) {
  int rank, ranks, came = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &came, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, comm,
               MPI_STATUS_IGNORE);
  return came == (rank + ranks - 1) % ranks;
}

static int spawn_crashes(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return strncmp(version, "Intel", 5) == 0;
}

int main(int argc, char** argv) {
  MPI_Comm parent, both, all, endpoint, copy;
  int level, right, everywhere, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (spawn_crashes()) {
    puts("endpoints_of_two_worlds: MPI_Comm_spawn crashes with this MPI");
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_get_parent(&parent);
  both = parent;
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both, MPI_ERRCODES_IGNORE);
  MPI_Intercomm_merge(both, parent != MPI_COMM_NULL, &all);
  MPIX_Comm_create_endpoints(all, 1, MPI_INFO_NULL, &endpoint);
  right = went_round(endpoint);
  MPI_Comm_dup(endpoint, &copy);
  right = went_round(copy) && right;
  MPI_Comm_free(&copy);
  MPI_Comm_free(&endpoint);
  MPI_Allreduce(&right, &everywhere, 1, MPI_INT, MPI_MIN, all);
  MPI_Comm_rank(all, &rank);
  if (rank == 0 && everywhere) puts("endpoints_of_two_worlds: all good");
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&both);
  MPI_Finalize();
  return 0;
}
