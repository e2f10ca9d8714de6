// Each rank starts one program of its own by its MPI_COMM_SELF, then all of them two together, with arguments and numbers
// of each (MPI-4.1 11.8.3).
// ranks: 2
// except: intel/*: MPI_Comm_spawn ends the job with a crash (docs/evidence/mpi-notes.md)
#include "../twin.h"

static int child(MPI_Comm parent, const char* word) {
  int remote, told[3] = {rank_of(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD), (int)strlen(word)};
  MPI_Comm_remote_size(parent, &remote);
  for (int to = 0; to < remote; ++to) MPI_Send(told, 3, MPI_INT, to, 5, parent);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}

static void hear(MPI_Comm between, const char* what) {
  int remote, told[3];
  MPI_Comm_remote_size(between, &remote);
  for (int from = 0; from < remote; ++from) {
    MPI_Recv(told, 3, MPI_INT, from, 5, between, MPI_STATUS_IGNORE);
    say("%s %d of %d: world %d of %d, a word of %d", what, from, remote, told[0], told[1], told[2]);
  }
  MPI_Comm_disconnect(&between);
}

int main(int argc, char** argv) {
  MPI_Comm parent, between;
  int codes[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return child(parent, argc > 1 ? argv[1] : "");
  char* const program = executable_of(argv[0]);
  for (int turn = 0; turn < size_of(MPI_COMM_WORLD); ++turn) {
    if (turn == rank_of(MPI_COMM_WORLD)) {
      MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between, MPI_ERRCODES_IGNORE);
      hear(between, "alone");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  char one[] = "word", other[] = "it's \"odd\" $HOME";
  char *first[] = {one, NULL}, *second[] = {other, NULL}, **arguments[] = {first, second};
  char* commands[] = {program, program};
  const int numbers[] = {1, 2};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm_spawn_multiple(2, commands, arguments, numbers, infos, 1, MPI_COMM_WORLD, &between, codes);
  hear(between, "together");
  MPI_Finalize();
  return 0;
}
