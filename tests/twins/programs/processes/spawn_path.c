// SPDX-License-Identifier: BSD-3-Clause
// Where a program to be started is looked for: the info key "path" (MPI-4.1 11.8.4).
// except: intel/*: MPI_Comm_spawn ends the job with a crash (docs/evidence/mpi-notes.md)
// except: openmpi/*: its launcher does not look into "path", and the job ends
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Comm parent, between;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    const int number = argc;
    if (rank_of(parent) == 0) MPI_Send(&number, 1, MPI_INT, 0, 0, parent);
    MPI_Barrier(parent);  // MPICH finds no process that has ended before all have met it
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
  }
  char* const program = executable_of(argv[0]);
  char* const slash = strrchr(program, '/');
  char directory[1000];
  snprintf(directory, sizeof directory, "%.*s", (int)(slash - program), program);
  MPI_Info_create(&info);
  MPI_Info_set(info, "path", directory);
  char* words[] = {(char*)"one", (char*)"two", NULL};
  MPI_Comm_spawn(slash + 1, words, 1, info, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
  if (rank_of(MPI_COMM_WORLD) == 0) {
    int number = 0;
    MPI_Recv(&number, 1, MPI_INT, 0, 0, between, MPI_STATUS_IGNORE);
    say("the program has %d words", number);
  }
  char value[1000];
  int there = 0;
  MPI_Info_get(info, "path", sizeof value - 1, value, &there);
  say("the info still says where: %d", there && strcmp(value, directory) == 0);
  MPI_Barrier(between);
  MPI_Comm_disconnect(&between);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
