// SPDX-License-Identifier: BSD-3-Clause
// Commands are looked for in the PATH that was set last.
#define _GNU_SOURCE
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../twin.h"

static int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int argc, char** argv) {
  char directory[] = "/tmp/twin-XXXXXX", path[100], search[200];
  char* const words[] = {"twin-command", "3", NULL};
  extern char** environ;
  pid_t child = 0;
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  mkdtemp(directory);
  snprintf(path, sizeof path, "%s/twin-command", directory);
  FILE* const file = fopen(path, "w");  // without "#!": a shell runs it
  fprintf(file, "exit $((%d + $1))\n", 10 * rank);
  fclose(file);
  chmod(path, 0700);
  snprintf(search, sizeof search, "/nowhere:%s:/bin:/usr/bin", directory);
  setenv("PATH", search, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if ((child = fork()) == 0) {
    execvp("twin-command", words);
    _exit(127);
  }
  const int by_list = status_of(child);
  if ((child = fork()) == 0) {
    execlp("twin-command", "twin-command", "4", NULL);
    _exit(127);
  }
  const int by_words = status_of(child);
  if ((child = fork()) == 0) {
    execlp("twin-no-command", "x", NULL);
    _exit(126);
  }
  const int by_none = status_of(child);
  posix_spawnp(&child, "sh", NULL, NULL, (char*[]){"sh", "-c", "twin-command 5", NULL}, environ);
  say("%d %d %d %d", by_list, by_words, by_none, status_of(child));
  unlink(path);
  rmdir(directory);
  MPI_Finalize();
  return 0;
}
