// SPDX-License-Identifier: BSD-3-Clause
// Each rank sends a long message on one communicator and polls for what comes on another one: both polls succeed (MPI-4.1 2.9, 3.7.4).
// args: test | status | testany | testsome | testall | iprobe | improbe | wait
#include "../twin.h"

enum { N = 200000 };

static int arrived(const char* how, MPI_Request* request, int peer, MPI_Comm comm, MPI_Message* message) {
  int flag = 0, index, n = 0;
  if (!strcmp(how, "test")) MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(how, "status")) MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(how, "testany")) MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(how, "testsome")) MPI_Testsome(1, request, &n, &index, MPI_STATUSES_IGNORE);
  if (!strcmp(how, "testall")) MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE);
  if (!strcmp(how, "iprobe")) MPI_Iprobe(peer, 0, comm, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(how, "improbe")) MPI_Improbe(peer, 0, comm, &flag, message, MPI_STATUS_IGNORE);
  if (!strcmp(how, "wait")) flag = MPI_Wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  return flag || n > 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* how = argc > 1 ? argv[1] : "wait";
  const int rank = rank_of(MPI_COMM_WORLD), peer = 1 - rank, probes = !strcmp(how, "iprobe") || !strcmp(how, "improbe");
  int *out = calloc(N, sizeof *out), *in = calloc(N, sizeof *in);
  MPI_Comm comms[2];
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  const MPI_Comm from = comms[1 - rank];
  out[N - 1] = 7 + rank;
  if (!probes) MPI_Irecv(in, N, MPI_INT, peer, 0, from, &requests[0]);
  MPI_Isend(out, N, MPI_INT, peer, 0, comms[rank], &requests[1]);
  while (!arrived(how, &requests[0], peer, from, &message)) continue;
  if (!strcmp(how, "iprobe")) MPI_Irecv(in, N, MPI_INT, peer, 0, from, &requests[0]);
  if (!strcmp(how, "improbe")) MPI_Imrecv(in, N, MPI_INT, &message, &requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say("got %d", in[N - 1]);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
