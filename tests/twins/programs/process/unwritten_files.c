// SPDX-License-Identifier: BSD-3-Clause
// What is in the buffers of a file is written once, though a child of another rank ends meanwhile; and fflush(NULL) does not
// wait for another rank's stream.
#include <sys/wait.h>

#include "../twin.h"

int main(int argc, char** argv) {
  char path[] = "/tmp/twin-XXXXXX", text[100] = "";
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  FILE* file = fdopen(mkstemp(path), "w+");
  fprintf(file, "rank %d\n", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const pid_t child = fork();
    if (child == 0) exit(0);
    waitpid(child, NULL, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    flockfile(file);
    MPI_Barrier(MPI_COMM_WORLD);
    funlockfile(file);
  } else {
    fflush(NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  fclose(file);
  file = fopen(path, "r");
  while (fgets(text, sizeof text, file) != NULL) say("%.20s", strtok(text, "\n"));
  fclose(file);
  unlink(path);
  MPI_Finalize();
  return 0;
}
