/* SPDX-License-Identifier: BSD-3-Clause */
/* Process 1 ends in the way that is asked for while the others wait for a message of its endpoint. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raddle/raddle.h"

/* What the MPI itself would leave behind of a process that is killed (MPICH does) is not what this is about. */
static void unlink_shared_memory_of_the_mpi(void) {
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    char* name = strstr(line, "/dev/shm/");
    if (!name) continue;
    name[strcspn(name, "\n")] = '\0';
    if (strstr(name, "raddle"))
      fprintf(stderr, "still here: %s, which others can open\n", name);
    else
      unlink(name);
  }
  if (maps) fclose(maps);
}

/* A process of this job that has the same nameless memory as this one, and is not this one: its proxy. */
static int proxy_of_this_process(void) {
  char line[4096], name[256] = "", path[64];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    char* found = strstr(line, "/memfd:raddle-");
    if (found) snprintf(name, sizeof name, "%.*s", (int)strcspn(found, " \n"), found);
  }
  if (maps) fclose(maps);
  DIR* all = opendir("/proc");
  for (struct dirent* one = all ? readdir(all) : NULL; one && *name; one = readdir(all)) {
    const int pid = atoi(one->d_name);
    if (pid <= 0 || pid == getpid()) continue;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    maps = fopen(path, "r");
    int same = 0;
    while (maps && !same && fgets(line, sizeof line, maps)) same = strstr(line, name) != NULL;
    if (maps) fclose(maps);
    if (same) return pid;
  }
  return 0;
}

int main(int argc, char** argv) {
  int provided, process, value;
  MPI_Comm endpoint;
  const char* way = argc > 1 ? argv[1] : "";
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &endpoint);
  MPI_Barrier(MPI_COMM_WORLD);
  unlink_shared_memory_of_the_mpi();
  if (process == 1) {
    fprintf(stderr, "process 1: %s\n", way);
    usleep(100 * 1000); /* launchers drop what they have not passed on when a job ends */
    if (strcmp(way, "is killed") == 0) raise(SIGKILL);
    if (strcmp(way, "exits") == 0) exit(0);
    if (strcmp(way, "exits with 3") == 0) exit(3);
    if (strcmp(way, "exits at once") == 0) _exit(0);
    if (strcmp(way, "aborts") == 0) MPI_Abort(endpoint, 3);
    if (strcmp(way, "loses its proxy") == 0) {
      const int proxy = proxy_of_this_process();
      if (proxy == 0) fprintf(stderr, "still here: and there is no proxy\n");
      if (proxy > 0) kill(proxy, SIGKILL);
      MPI_Recv(&value, 1, MPI_INT, 0, 0, endpoint, MPI_STATUS_IGNORE);
    }
  }
  MPI_Recv(&value, 1, MPI_INT, 1, 0, endpoint, MPI_STATUS_IGNORE);
  fprintf(stderr, "still here\n");
  MPI_Finalize();
  return 0;
}
