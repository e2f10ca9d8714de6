// SPDX-License-Identifier: BSD-3-Clause
// A rank starts a command and a child, and waits for them.
#include <sys/wait.h>

#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = system("exit 3");
  say("system: %d", WEXITSTATUS(status));
  int child_status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(6);
  waitpid(child, &child_status, 0);
  say("child: %d", WEXITSTATUS(child_status));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
