// SPDX-License-Identifier: BSD-3-Clause
// A file that is opened after descriptor 1 was closed is descriptor 1, and so is a copy of another one.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "../twin.h"

int main(int argc, char** argv) {
  char path[] = "/tmp/twin-XXXXXX", text[200] = "";
  struct stat about;
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), made = mkstemp(path), kept = dup(1);
  fflush(stdout);
  close(1);
  const int again = close(1) < 0 && errno == EBADF, nowhere = write(1, "x", 1) < 0 && errno == EBADF;
  const int opened = open(path, O_RDWR);
  printf("printf %d\n", rank);
  fflush(stdout);
  dprintf(1, "dprintf %d\n", rank);
  fstat(1, &about);
  const long long size = about.st_size;
  const off_t at = lseek(1, 0, SEEK_CUR);
  ftruncate(1, size - 1);
  fstat(made, &about);
  const off_t start = lseek(1, 0, SEEK_SET);
  read(1, text, sizeof text - 1);
  close(1);
  const int copy = dup(kept);
  close(0);
  close(2);
  const int first = open("/dev/null", O_RDONLY), third = open("/dev/null", O_WRONLY);
  say("%d %d %d %d %d %d, %lld bytes, at %lld %lld, cut to %lld: %s", again, nowhere, opened, copy, first, third, size,
      (long long)at, (long long)start, (long long)about.st_size, text);
  unlink(path);
  MPI_Finalize();
  return 0;
}
