// SPDX-License-Identifier: BSD-3-Clause
// The short paths of messages of 8 B between two endpoints of one process, which one thread owns and drives in turn:
// what a call finds is always the same, so callgrind counts the same instructions each time. Each path is a function of
// its own, `path_*`, at whose end callgrind writes what it has counted since its beginning (tools/path_counts.py).
// Prints for each how many operations that were.
//
// path_counts ROUNDS
#include <mpi.h>
#include <raddle/raddle.h>
#include <stdio.h>
#include <stdlib.h>

enum { each = 64, paths = 32 };  // the window of benchmarks of the message rate

static MPI_Comm from, to;
static MPI_Request sends[each], receives[each], persistent_sends[each], persistent_receives[each];
static MPI_Status statuses[each];
static long out[each], in[each];

// With that the compiler neither inlines a path nor leaves out what it calls.
#define PATH static __attribute__((noinline, noclone)) void

PATH path_isend(void) {
  for (int i = 0; i < each; ++i) MPI_Isend(&out[i], 8, MPI_BYTE, 1, 1, from, &sends[i]);
}
PATH path_irecv(void) {
  for (int i = 0; i < each; ++i) MPI_Irecv(&in[i], 8, MPI_BYTE, 0, 1, to, &receives[i]);
}
PATH path_irecv_any(void) {
  for (int i = 0; i < each; ++i) MPI_Irecv(&in[i], 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, to, &receives[i]);
}
PATH path_waitall_sends(void) { MPI_Waitall(each, sends, MPI_STATUSES_IGNORE); }
PATH path_waitall_receives(void) { MPI_Waitall(each, receives, MPI_STATUSES_IGNORE); }
PATH path_waitall_any(void) { MPI_Waitall(each, receives, MPI_STATUSES_IGNORE); }
PATH path_waitall_statuses(void) { MPI_Waitall(each, receives, statuses); }
PATH path_wait_send(void) {
  for (int i = 0; i < each; ++i) MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
}
PATH path_wait_receive(void) {
  for (int i = 0; i < each; ++i) MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
}
PATH path_test_receive(void) {
  for (int i = 0, flag; i < each; ++i) MPI_Test(&receives[i], &flag, MPI_STATUS_IGNORE);
}
PATH path_send(void) {
  for (int i = 0; i < each; ++i) MPI_Send(&out[i], 8, MPI_BYTE, 1, 1, from);
}
PATH path_recv(void) {
  for (int i = 0; i < each; ++i) MPI_Recv(&in[i], 8, MPI_BYTE, 0, 1, to, MPI_STATUS_IGNORE);
}
PATH path_recv_status(void) {
  for (int i = 0; i < each; ++i) MPI_Recv(&in[i], 8, MPI_BYTE, 0, 1, to, &statuses[i]);
}
PATH path_sendrecv_self(void) {
  for (int i = 0; i < each; ++i)
    MPI_Sendrecv(&out[i], 8, MPI_BYTE, 0, 1, &in[i], 8, MPI_BYTE, 0, 1, from, MPI_STATUS_IGNORE);
}
PATH path_isend_self(void) {
  for (int i = 0; i < each; ++i) MPI_Isend(&out[i], 8, MPI_BYTE, 0, 1, from, &sends[i]);
}
PATH path_irecv_self(void) {
  for (int i = 0; i < each; ++i) MPI_Irecv(&in[i], 8, MPI_BYTE, 0, 1, from, &receives[i]);
}
PATH path_start_send(void) {
  for (int i = 0; i < each; ++i) MPI_Start(&persistent_sends[i]);
}
PATH path_start_receive(void) {
  for (int i = 0; i < each; ++i) MPI_Start(&persistent_receives[i]);
}
PATH path_waitall_persistent_sends(void) { MPI_Waitall(each, persistent_sends, MPI_STATUSES_IGNORE); }
PATH path_waitall_persistent_receives(void) { MPI_Waitall(each, persistent_receives, MPI_STATUSES_IGNORE); }

static struct {
  const char* name;
  void (*path)(void);
  long operations;
} seen[paths];

/// Goes a path, and counts how often.
static void go(const char* name, void (*path)(void)) {
  int at = 0;
  while (seen[at].path != NULL && seen[at].path != path) ++at;
  seen[at].name = name;
  seen[at].path = path;
  seen[at].operations += each;
  path();
}
#define GO(path) go(#path, path_##path)

static void sound(long round) {
  for (int i = 0; i < each; ++i) {
    if (in[i] != round + i) {
      fprintf(stderr, "path_counts: message %d of round %ld is not what was sent\n", i, round);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    in[i] = -1;
  }
}

static void all_paths(long round) {
  for (int i = 0; i < each; ++i) out[i] = round + i;

  GO(irecv), GO(isend), GO(waitall_sends), GO(waitall_receives), sound(round);
  GO(irecv_any), GO(isend), GO(wait_send), GO(waitall_any), sound(round);
  GO(irecv), GO(isend), GO(waitall_sends), GO(waitall_statuses), sound(round);
  GO(irecv), GO(send), GO(wait_receive), sound(round);
  GO(irecv), GO(send), GO(test_receive), sound(round);
  GO(send), GO(recv), sound(round);
  GO(send), GO(recv_status), sound(round);
  GO(sendrecv_self), sound(round);
  GO(irecv_self), GO(isend_self), GO(waitall_sends), GO(waitall_receives), sound(round);
  GO(start_receive), GO(start_send), GO(waitall_persistent_sends), GO(waitall_persistent_receives), sound(round);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int rounds = atoi(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm both[2];
  MPIX_Comm_create_endpoints(MPI_COMM_SELF, 2, MPI_INFO_NULL, both);
  from = both[0];
  to = both[1];
  for (int i = 0; i < each; ++i) {
    MPI_Send_init(&out[i], 8, MPI_BYTE, 1, 2, from, &persistent_sends[i]);
    MPI_Recv_init(&in[i], 8, MPI_BYTE, 0, 2, to, &persistent_receives[i]);
  }
  for (int round = 0; round < rounds; ++round) all_paths(round);
  for (int at = 0; seen[at].path != NULL; ++at) printf("%s %ld\n", seen[at].name, seen[at].operations);
  for (int i = 0; i < each; ++i) {
    MPI_Request_free(&persistent_sends[i]);
    MPI_Request_free(&persistent_receives[i]);
  }
  MPI_Comm_free(&from);
  MPI_Comm_free(&to);
  MPI_Finalize();
  return 0;
}
