// SPDX-License-Identifier: BSD-3-Clause
// What programs with sessions share: they may have no MPI_COMM_WORLD.
#ifndef SESSIONS_H
#define SESSIONS_H
#include "../twin.h"

// As say(), by the rank of a communicator.
#define say_on(comm, ...)                       \
  do {                                          \
    char text_[1000];                           \
    snprintf(text_, sizeof text_, __VA_ARGS__); \
    printf("%d: %s\n", rank_of(comm), text_);   \
    fflush(stdout);                             \
  } while (0)

static inline MPI_Session begin(void) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  return session;
}

static inline MPI_Group group_of(MPI_Session session, const char* set) {
  MPI_Group group;
  MPI_Group_from_session_pset(session, set, &group);
  return group;
}

// A communicator of the ranks of a set.
static inline MPI_Comm comm_of(MPI_Session session, const char* set, const char* tag) {
  MPI_Group group = group_of(session, set);
  MPI_Comm comm;
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}
#endif
