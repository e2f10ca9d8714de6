// SPDX-License-Identifier: BSD-3-Clause
// The buffer of MPI_Bsend of a session, which serves the communicators that are made of it and of each other
// (MPI-4.1 3.6).
#include "sessions.h"

int main(void) {
  MPI_Session session = begin();
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "all"), copy;
  MPI_Comm_dup(comm, &copy);
  const int rank = rank_of(comm), size = size_of(comm);
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  enum { bytes = 1000 };
  const int room = 2 * (bytes + MPI_BSEND_OVERHEAD);
  char *buffer = malloc((size_t)room), message[bytes];
  void* detached = NULL;
  int length = 0;
  memset(message, 'a' + rank, bytes);
  MPI_Session_attach_buffer(session, buffer, room);
  MPI_Bsend(message, bytes, MPI_CHAR, (rank + 1) % size, 1, comm);
  MPI_Bsend(message, bytes, MPI_CHAR, (rank + 1) % size, 2, copy);
  MPI_Recv(message, bytes, MPI_CHAR, (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
  say_on(comm, "first: %c", message[bytes - 1]);
  MPI_Recv(message, bytes, MPI_CHAR, (rank + size - 1) % size, 2, copy, MPI_STATUS_IGNORE);
  say_on(comm, "second: %c", message[0]);
  MPI_Session_flush_buffer(session);
  MPI_Request request;
  MPI_Session_iflush_buffer(session, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Session_detach_buffer(session, &detached, &length);
  say_on(comm, "the same: %d, length: %d", detached == (void*)buffer, length == room);
  free(buffer);
#else
  say_on(comm, "this MPI is older: %d of %d", rank, size);
#endif
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
