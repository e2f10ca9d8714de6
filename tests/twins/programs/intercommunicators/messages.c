// SPDX-License-Identifier: BSD-3-Clause
// Messages go to ranks of the remote group, and statuses tell ranks of it (MPI-4.1 3.2.4, 7.6): all modes, probes, persistent
// requests, wildcards.
// ranks: 4
// args: 0 | 1
#include "groups.h"

static MPI_Comm inter;

static void take(const char* what, int source) {
  MPI_Status status;
  int value = -1, count = -1;
  MPI_Probe(source, MPI_ANY_TAG, inter, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, inter, &status);
  say("%s: %d from %d, tag %d, count %d", what, value, status.MPI_SOURCE, status.MPI_TAG, count);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int how = atoi(argv[1]);
  inter = between(how);
  const int rank = rank_of(inter), size = size_of(inter), remote = remote_size_of(inter);
  const int value = 100 * rank_of(MPI_COMM_WORLD);
  MPI_Request requests[8];
  MPI_Status status;
  // Everyone to everyone of the other group, in four modes.
  void* room = malloc(10000);
  MPI_Buffer_attach(room, 10000);
  for (int to = 0; to < remote; ++to) {
    MPI_Isend(&value, 1, MPI_INT, to, 1, inter, &requests[0]);
    MPI_Issend(&value, 1, MPI_INT, to, 2, inter, &requests[1]);
    MPI_Bsend(&value, 1, MPI_INT, to, 3, inter);
    take("standard", to);
    take("synchronous", to);
    take("buffered", to);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  int detached;
  MPI_Buffer_detach(&room, &detached);
  free(room);
  // From anyone: only that they all come, for their order is open.
  int from[4] = {0}, got[4];
  for (int to = 0; to < remote; ++to) MPI_Isend(&value, 1, MPI_INT, to, 7, inter, &requests[to]);
  for (int i = 0; i < remote; ++i) {
    MPI_Message message;
    if (i % 2 == 0) {
      MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 7, inter, &status);
    } else {
      MPI_Mprobe(MPI_ANY_SOURCE, 7, inter, &message, &status);
      MPI_Mrecv(&got[i], 1, MPI_INT, &message, &status);
    }
    from[status.MPI_SOURCE] = got[i];
  }
  MPI_Waitall(remote, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < remote; ++i) say("any: %d from %d", from[i], i);
  // Partners of equal rank, where both groups have one.
  const int partner = rank < remote ? rank : MPI_PROC_NULL;
  int other = -1, start = value;
  MPI_Sendrecv(&value, 1, MPI_INT, partner, 4, &other, 1, MPI_INT, partner, 4, inter, &status);
  say("exchanged %d, source %s", other, status.MPI_SOURCE == MPI_PROC_NULL ? "nobody" : "partner");
  MPI_Sendrecv_replace(&start, 1, MPI_INT, partner, 4, partner, 4, inter, &status);
  say("replaced %d", start);
  MPI_Recv_init(&other, 1, MPI_INT, partner, 6, inter, &requests[0]);
  MPI_Ssend_init(&start, 1, MPI_INT, partner, 6, inter, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    start = value + i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("persistent %d", other);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  // A long one, to the last of the other group from the first.
  enum { many = 300000 };
  int* data = malloc(many * sizeof *data);
  for (int i = 0; i < many; ++i) data[i] = value + i;
  if (rank == 0) MPI_Isend(data, many, MPI_INT, remote - 1, 8, inter, &requests[0]);
  if (rank == size - 1) {
    int* into = calloc(many, sizeof *into);
    MPI_Recv(into, many, MPI_INT, 0, 8, inter, &status);
    say("long: %d %d", into[0], into[many - 1]);
    free(into);
  }
  if (rank == 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  free(data);
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
