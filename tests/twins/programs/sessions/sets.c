// SPDX-License-Identifier: BSD-3-Clause
// The sets of processes: their names, in buffers of several lengths, and their groups (MPI-4.1 11.3.2). An MPI
// may have more than the two that all have.
// ranks: 4
#include "sessions.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session session = begin();
  int sets = 0, world = 0, self = 0;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
  for (int i = 0; i < sets; ++i) {
    int length = 0, room;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
    char* name = malloc((size_t)length);
    room = length;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, name);
    if (strcmp(name, "mpi://WORLD") != 0 && strcmp(name, "mpi://SELF") != 0) continue;
    *(strcmp(name, "mpi://WORLD") == 0 ? &world : &self) += 1;
    say("%s: length %d, then %d", name, length, room);
    free(name);
  }
  say("at least two: %d, world %d, self %d", sets >= 2, world, self);
  const char* names[] = {"mpi://WORLD", "mpi://SELF"};
  for (int i = 0; i < 2; ++i) {
    int rank = -1, size = -1;
    MPI_Group group = group_of(session, names[i]);
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &size);
    MPI_Group_free(&group);
    say("%s: rank %d of %d", names[i], rank, size);
  }
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
