/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends in one of many ways. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "well";
  if (strcmp(how, "no-mpi") == 0) return 0;
  if (strcmp(how, "forked-before") == 0 && fork() != 0) {
    int status;
    wait(&status);
    return WEXITSTATUS(status);
  }
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "crash") == 0) raise(SIGSEGV);
  if (strcmp(how, "killed") == 0) raise(SIGKILL);
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  if (strcmp(how, "inside") == 0 && rank == 0) { /* never ends */
    alarm(2);
    MPI_Recv(&size, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
  if (strcmp(how, "inside") == 0) sleep(10);
  if (strcmp(how, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      int flag;
      MPI_Initialized(&flag);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    const pid_t second = fork();
    if (second == 0) execl("/bin/true", "true", (char*)NULL);
    waitpid(second, &status, 0);
  }
  MPI_Finalize();
  if (strcmp(how, "exec") == 0) execl("/bin/true", "true", (char*)NULL);
  return 0;
}
