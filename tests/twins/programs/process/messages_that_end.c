// SPDX-License-Identifier: BSD-3-Clause
// err(), error() and their relatives end the one that calls them, with its atexit(); others go on.
// args: err 3 | errx 0 | error 4 | line 5
// status: nonzero: the launcher tells one of several
// messages: messages_that_end.*(failed|line): the name of the program is in them
#include <err.h>
#include <errno.h>
#include <error.h>
#include <libgen.h>

#include "../twin.h"

static void at_end(void) {
  printf("atexit\n");
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), status = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Finalize();
  atexit(at_end);
  if (rank == 1) {
    error(0, 0, "line of %d", rank);
    warnx("line of %d", rank);
    if (status != 0) usleep(300000);  // a launcher may end the others then
    errno = ENOENT;
    if (strcmp(argv[1], "err") == 0) err(status, "failed");
    if (strcmp(argv[1], "errx") == 0) errx(status, "failed %d", rank);
    if (strcmp(argv[1], "error") == 0) error(status, ENOMEM, "failed");
    if (strcmp(argv[1], "line") == 0) error_at_line(status, 0, "a file", 7, "failed");
  }
  if (status == 0) usleep(100000);
  printf("%d: goes on, %u\n", rank, error_message_count);
  fflush(stdout);
  return 0;
}
