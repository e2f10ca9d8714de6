/* SPDX-License-Identifier: BSD-3-Clause */
/* A child that returns from main ends with that status, and on_exit() is told the whole one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void told(int status, void* none) {
  (void)none;
  printf("status %d\n", status);
  fflush(stdout);
}

static void children(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    on_exit(told, NULL);
    exit(-1);
  }
  waitpid(child, &status, 0);
  printf("exited %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  fflush(stdout);
}

int main(int argc, char** argv) {
  int rank, size, status = 0;
  const pid_t child = fork();
  if (child == 0) return 3;
  waitpid(child, &status, 0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < size; ++turn) { /* what others have not written yet is in a child's memory, too */
    if (turn == rank) children();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("%d: returned %d\n", rank, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  MPI_Finalize();
  return 0;
}
