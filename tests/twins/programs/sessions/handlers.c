// SPDX-License-Identifier: BSD-3-Clause
// Error handlers of sessions: that of MPI_Session_init, another one, and what they hear (MPI-4.1 9.3.4).
// except: intel/*: this MPI does not take the error handler of MPI_Session_init
#include "sessions.h"

static int heard = 0, at_which = 0;
static MPI_Session expected;

static void hear(MPI_Session* session, int* code, ...) {
  ++heard;
  at_which += *session == expected;
  say("MPI_ERR_ARG is heard: %d", class_of(*code) == MPI_ERR_ARG);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler, found;
  MPI_Session session;
  MPI_Session_create_errhandler(hear, &handler);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Session_get_errhandler(session, &found);
  say("returns: %d", found == MPI_ERRORS_RETURN);
  int length = 0;
  const int code = MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 1000, &length, NULL);
  say("beyond the last: %d, heard %d", class_of(code) == MPI_ERR_ARG, heard);
  MPI_Session_set_errhandler(session, handler);
  MPI_Session_get_errhandler(session, &found);
  say("the same: %d", found == handler);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&handler);
  expected = session;
  MPI_Session_call_errhandler(session, MPI_ERR_ARG);
  say("heard %d, there %d", heard, at_which);
  MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &length, NULL);
  say("heard %d, there %d", heard, at_which);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
