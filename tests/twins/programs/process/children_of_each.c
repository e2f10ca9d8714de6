// SPDX-License-Identifier: BSD-3-Clause
// wait() takes the own children, whoever has others; they have the own descriptors, however they are started.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "../twin.h"

int main(int argc, char** argv) {
  char path[] = "/tmp/twin-XXXXXX", text[200] = "";
  char *const words[] = {"sh", "-c", "echo spawned $0; echo told >&2", "a b", NULL}, *const none[] = {"PATH=/bin",
                                                                                                      NULL};
  int status = 0;
  pid_t child = 0;
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), made = mkstemp(path), kept = dup(1);
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) _exit(10 * i + rank + 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) usleep(20000);  // all children have ended
  MPI_Barrier(MPI_COMM_WORLD);
  int sum = 0;
  while ((child = wait(&status)) > 0) sum += WEXITSTATUS(status);
  fflush(stdout);
  dup2(made, 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn(&child, "/bin/sh", &actions, NULL, words, none);
  waitpid(child, NULL, 0);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnp(&child, "sh", NULL, NULL, (char*[]){"sh", "-c", "echo spawned again", NULL}, none);
  waitpid(-1, NULL, 0);
  if ((child = vfork()) == 0) {
    execl("/bin/sh", "sh", "-c", "echo of vfork", NULL);
    _exit(127);
  }
  waitpid(child, &status, 0);
  fflush(stdout);
  if ((child = fork()) == 0) {  // as shells do
    int both[2];
    if (pipe(both) != 0) _exit(1);
    if ((child = fork()) == 0) {
      dup2(both[1], 1);
      execl("/bin/sh", "sh", "-c", "echo through a pipe", NULL);
      _exit(127);
    }
    close(both[1]);
    dup2(both[0], 0);
    execl("/bin/sh", "sh", "-c", "read line && echo $line", NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
  if ((child = fork()) == 0) {
    close(1);
    if (dup(made) != 1) _exit(1);
    printf("of a child\n");
    exit(0);
  }
  waitpid(child, NULL, 0);
  dup2(kept, 1);
  lseek(made, 0, SEEK_SET);
  read(made, text, sizeof text - 1);
  for (char* c = text; *c != 0; ++c) {
    if (*c == '\n') *c = ',';
  }
  say("children %d, %s %d", sum, text, WEXITSTATUS(status));
  unlink(path);
  MPI_Finalize();
  return 0;
}
