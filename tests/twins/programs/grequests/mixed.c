// SPDX-License-Identifier: BSD-3-Clause
// Generalized requests beside a send and a receive, in each call that takes several requests (MPI-4.1 3.7.5 and 13.2).
// args: waitall | testall | waitany | testany | waitsome | testsome
#include "grequests.h"

enum { all = 4 };

static void end(MPI_Request requests[all], int which, const MPI_Status* status) {
  char what[20];
  snprintf(what, sizeof what, "request %d", which);
  if (which == 1)  // of a send nothing is known
    say("%s, null: %d", what, requests[which] == MPI_REQUEST_NULL);
  else
    tell(what, status);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int got = -1, flag = 0, index = -1, count = 0, indices[all];
  State state[2] = {{0, MPI_SUCCESS, 0, 0}, {3, MPI_SUCCESS, 0, 0}};
  MPI_Request requests[all];
  MPI_Status statuses[all];
  requests[0] = started(&state[0]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[2]);
  requests[3] = started(&state[1]);
  MPI_Grequest_complete(requests[3]);
  if (is_arg(argc, argv, "testall")) {
    MPI_Testall(all, requests, &flag, statuses);
    say("complete: %d", flag);
  }
  if (is_arg(argc, argv, "waitall") || is_arg(argc, argv, "testall")) MPI_Grequest_complete(requests[0]);
  if (is_arg(argc, argv, "waitall")) MPI_Waitall(all, requests, statuses);
  while (!flag && is_arg(argc, argv, "testall")) MPI_Testall(all, requests, &flag, statuses);
  if (is_arg(argc, argv, "waitall") || is_arg(argc, argv, "testall"))
    for (int i = 0; i < all; ++i) end(requests, i, &statuses[i]);
  for (int ended = 0; !is_arg(argc, argv, "waitall") && !is_arg(argc, argv, "testall") && ended < all;) {
    if (ended == all - 1 && requests[0] != MPI_REQUEST_NULL) MPI_Grequest_complete(requests[0]);
    count = 0;
    if (is_arg(argc, argv, "waitany")) MPI_Waitany(all, requests, &index, statuses);
    if (is_arg(argc, argv, "testany")) MPI_Testany(all, requests, &index, &flag, statuses);
    if (is_arg(argc, argv, "waitany") || (is_arg(argc, argv, "testany") && flag)) {
      indices[0] = index;
      count = 1;
    }
    if (is_arg(argc, argv, "waitsome")) MPI_Waitsome(all, requests, &count, indices, statuses);
    if (is_arg(argc, argv, "testsome")) MPI_Testsome(all, requests, &count, indices, statuses);
    for (int i = 0; i < count; ++i) end(requests, indices[i], &statuses[i]);
    ended += count;
  }
  say("got %d", got);
  MPI_Finalize();
  return 0;
}
