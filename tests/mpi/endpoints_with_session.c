/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize ends endpoints although a session goes on: the two end independently (MPI-4.1 section 11.2).
 * Usage: endpoints_with_session ends|goes-on: what the session does. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "raddle/raddle.h"

int main(int argc, char** argv) {
#if MPI_VERSION >= 4
  MPI_Session session;
  MPI_Comm endpoint;
  MPI_Init(&argc, &argv);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &endpoint);
  MPI_Comm_free(&endpoint);
  MPI_Finalize();
  if (strcmp(argv[argc - 1], "ends") == 0) {
    MPI_Session_finalize(&session);
  } else {
    // Launchers end the job when one process exits with a session: all have come out of MPI_Finalize by then.
    sleep(1);
  }
#else
  (void)argc, (void)argv;
#endif
  puts("endpoints_with_session: all good");
  return 0;
}
