// SPDX-License-Identifier: BSD-3-Clause
// What is known of the two sets of processes that all MPIs have (MPI-4.1 11.3.2).
// ranks: 4
// except: openmpi/*: this MPI ends the job in MPI_Session_get_pset_info, now and then
#include "sessions.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session session = begin();
  const char* names[] = {"mpi://WORLD", "mpi://SELF"};
  for (int i = 0; i < 2; ++i) {
    MPI_Info info;
    char value[20] = "";
    int there = 0;
    MPI_Session_get_pset_info(session, names[i], &info);
    MPI_Info_get(info, "mpi_size", 19, value, &there);
    MPI_Info_free(&info);
    say("%s: mpi_size %d %s", names[i], there, value);
  }
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
