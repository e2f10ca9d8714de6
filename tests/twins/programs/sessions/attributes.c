// SPDX-License-Identifier: BSD-3-Clause
// What a communicator of a session keeps: predefined and other attributes, a name, an error handler, which its duplicate
// has as well.
#include "sessions.h"

static int heard = 0;

static void hear(MPI_Comm* comm, int* code, ...) { heard += *comm != MPI_COMM_NULL && class_of(*code) == MPI_ERR_RANK; }

int main(void) {
  MPI_Session session = begin();
  MPI_Group group = group_of(session, "mpi://WORLD");
  MPI_Errhandler handler;
  MPI_Comm comm, copy;
  MPI_Comm_create_errhandler(hear, &handler);
  MPI_Comm_create_from_group(group, "attributes", MPI_INFO_NULL, handler, &comm);
  MPI_Errhandler_free(&handler);
  MPI_Group_free(&group);
  int key, there = 0, value = 7, length = 0, *found = NULL;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &found, &there);
  say_on(comm, "tags: %d %d", there, there && *found >= 32767);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(comm, key, &value);
  MPI_Comm_set_name(comm, "of a session");
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_get_attr(copy, key, &found, &there);
  say_on(comm, "copied: %d %d", there, there ? *found : -1);
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_get_name(comm, name, &length);
  say_on(comm, "%s", name);
  MPI_Send(&value, 1, MPI_INT, 99, 0, comm);
  MPI_Send(&value, 1, MPI_INT, 99, 0, copy);
  say_on(comm, "heard %d", heard);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
