// SPDX-License-Identifier: BSD-3-Clause
// A set that nobody knows (MPI-4.1 11.3.2).
// except: intel/*: this MPI does not take the error handler of MPI_Session_init
// except: openmpi/*: this MPI ends the job in MPI_Session_get_pset_info of a set that it does not know
#include "sessions.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session session;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  say("info: %d", class_of(MPI_Session_get_pset_info(session, "mpi://NOWHERE", &info)) == MPI_ERR_ARG);
  say("group: %d", MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group) != MPI_SUCCESS);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
