/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints beside messages of the MPI's own: a call that waits for the ones lets the others go on (MPI-4.1
 * sections 2.9 and 3.5), whether it looks once or is blocked. Where one waits for what the other owes, a program hangs
 * otherwise. Error handlers are the default ones.
 *
 *     native_progress polling [funneled]   process 1 sends natively and synchronously, then to the endpoint of
 *                                          process 0, which waits for that by each call in turn
 *     native_progress blocked              process 1 sends synchronously to the endpoint of process 0, which is in a
 *                                          call of the MPI's own, then lets that end
 *     native_progress computing            process 0 sends, and is in no call until process 1 has received */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raddle/raddle.h"

enum { words = 300000, own = 7, others = 9 };

static int rank;
static MPI_Comm endpoint;
static int out[words], in[words], beside[words];

static void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  fprintf(stderr, "native progress: %s returns %d\n", call, code);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void fill(int* data, int round) {
  for (int i = 0; i < words; ++i) data[i] = round * 1000003 + i;
}

static void compare(const int* data, int round, const char* what) {
  for (int i = 0; i < words; ++i) {
    if (data[i] == round * 1000003 + i) continue;
    fprintf(stderr, "native progress: %s: word %d is wrong\n", what, i);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* One way to wait for the message to the endpoint. Those that only look do so again and again. */
enum way {
  test,
  testany,
  testsome,
  testall,
  get_status,
  iprobe,
  improbe,
  wait,
  waitany,
  waitsome,
  waitall,
  probe,
  mprobe,
  receive,
  ways
};
static const char* const names[ways] = {
    "MPI_Test",    "MPI_Testany", "MPI_Testsome", "MPI_Testall", "MPI_Request_get_status",
    "MPI_Iprobe",  "MPI_Improbe", "MPI_Wait",     "MPI_Waitany", "MPI_Waitsome",
    "MPI_Waitall", "MPI_Probe",   "MPI_Mprobe",   "MPI_Recv"};

static void await(enum way way) {
  const int source = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = 0, index, count;
  if (way != iprobe && way != improbe && way != probe && way != mprobe && way != receive)
    check(MPI_Irecv(in, words, MPI_INT, source, own, endpoint, &request), "MPI_Irecv");
  while (!flag) {
    switch (way) {
      case test:
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        break;
      case testany:
        MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
        break;
      case testsome:
        MPI_Testsome(1, &request, &flag, &index, MPI_STATUSES_IGNORE);
        break;
      case testall:
        MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
        break;
      case get_status:
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        break;
      case iprobe:
        MPI_Iprobe(source, own, endpoint, &flag, MPI_STATUS_IGNORE);
        break;
      case improbe:
        MPI_Improbe(source, own, endpoint, &flag, &message, MPI_STATUS_IGNORE);
        break;
      case wait:
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        flag = 1;
        break;
      case waitany:
        MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
        flag = 1;
        break;
      case waitsome:
        MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
        flag = 1;
        break;
      case waitall:
        MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
        flag = 1;
        break;
      case probe:
        MPI_Probe(source, own, endpoint, MPI_STATUS_IGNORE);
        flag = 1;
        break;
      case mprobe:
        MPI_Mprobe(source, own, endpoint, &message, MPI_STATUS_IGNORE);
        flag = 1;
        break;
      default:
        MPI_Recv(in, words, MPI_INT, source, own, endpoint, MPI_STATUS_IGNORE);
        flag = 1;
        break;
    }
  }
  if (message != MPI_MESSAGE_NULL) MPI_Mrecv(in, words, MPI_INT, &message, MPI_STATUS_IGNORE);
  if (way == iprobe || way == probe) MPI_Recv(in, words, MPI_INT, source, own, endpoint, MPI_STATUS_IGNORE);
  if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void polling(void) {
  for (int way = 0; way < ways; ++way) {
    if (rank == 0) {
      MPI_Request native;
      memset(in, 0, sizeof in);
      memset(beside, 0, sizeof beside);
      MPI_Irecv(beside, words, MPI_INT, 1, others, MPI_COMM_WORLD, &native);
      MPI_Barrier(MPI_COMM_WORLD);
      await((enum way)way);
      MPI_Wait(&native, MPI_STATUS_IGNORE);
      compare(in, way, names[way]);
      compare(beside, way, names[way]);
    } else {
      fill(out, way);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Ssend(out, words, MPI_INT, 0, others, MPI_COMM_WORLD);
      MPI_Ssend(out, words, MPI_INT, 0, own, endpoint);
    }
  }
}

/* What process 0 is blocked in, and how process 1 lets it go. */
enum block { in_recv, in_wait, in_waitall, in_probe, in_ssend, in_barrier, in_allreduce, in_dup, blocks };
static const char* const block_names[blocks] = {"MPI_Recv",  "MPI_Wait",    "MPI_Waitall",   "MPI_Probe",
                                                "MPI_Ssend", "MPI_Barrier", "MPI_Allreduce", "MPI_Comm_dup"};

static void both(enum block block) {
  int one = 1, sum = 0;
  MPI_Comm made;
  if (block == in_barrier) MPI_Barrier(MPI_COMM_WORLD);
  if (block == in_allreduce) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (block == in_dup) {
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_free(&made);
  }
}

static void be_in(enum block block) {
  int word = 0;
  MPI_Request request;
  switch (block) {
    case in_recv:
      MPI_Recv(&word, 1, MPI_INT, 1, others, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    case in_wait:
    case in_waitall:
      MPI_Irecv(&word, 1, MPI_INT, 1, others, MPI_COMM_WORLD, &request);
      if (block == in_wait) MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (block == in_waitall) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
      break;
    case in_probe:
      MPI_Probe(1, others, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&word, 1, MPI_INT, 1, others, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    case in_ssend:
      MPI_Ssend(&word, 1, MPI_INT, 1, others, MPI_COMM_WORLD);
      break;
    default:
      both(block);
  }
}

static void let_go(enum block block) {
  int word = 0;
  if (block == in_ssend) {
    MPI_Recv(&word, 1, MPI_INT, 0, others, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (block < in_ssend) {
    MPI_Send(&word, 1, MPI_INT, 0, others, MPI_COMM_WORLD);
  } else {
    both(block);
  }
}

static void blocked(void) {
  for (int block = 0; block < blocks; ++block) {
    if (rank == 0) {
      MPI_Request receive;
      memset(in, 0, sizeof in);
      MPI_Irecv(in, words, MPI_INT, 1, own, endpoint, &receive);
      be_in((enum block)block);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      compare(in, block, block_names[block]);
    } else {
      fill(out, block);
      MPI_Ssend(out, words, MPI_INT, 0, own, endpoint);
      let_go((enum block)block);
    }
  }
}

static volatile sig_atomic_t told;

static void tell(int signal) {
  (void)signal;
  told = 1;
}

/* Process 0 sends, and computes until process 1 has it all. Every second time nobody waits for the requests. */
static void computing(void) {
  enum { sends = 20, rounds = 4 };
  pid_t other = getpid();
  MPI_Bcast(&other, sizeof other, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[sends + 1];
    told = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      fill(out, round);
      for (int i = 0; i < sends; ++i)
        check(MPI_Isend(out + i, 1, MPI_INT, 1, own, endpoint, &requests[i]), "MPI_Isend");
      check(MPI_Isend(out, words, MPI_INT, 1, own, endpoint, &requests[sends]), "MPI_Isend");
      for (int i = 0; i < sends && round % 2 != 0; ++i) MPI_Request_free(&requests[i]);
      while (!told) {
      }
      MPI_Waitall(sends + 1, requests, MPI_STATUSES_IGNORE);
    } else {
      memset(in, 0, sizeof in);
      for (int i = 0; i < sends; ++i) {
        MPI_Recv(in + i, 1, MPI_INT, 0, own, endpoint, MPI_STATUS_IGNORE);
        if (in[i] != round * 1000003 + i) check(MPI_ERR_OTHER, "MPI_Recv: a short message is wrong");
      }
      MPI_Recv(in, words, MPI_INT, 0, own, endpoint, MPI_STATUS_IGNORE);
      compare(in, round, "while the sender computes");
      kill(other, SIGUSR1);
    }
  }
}

int main(int argc, char** argv) {
  const int funneled = argc > 2 && strcmp(argv[2], "funneled") == 0;
  int provided;
  MPI_Init_thread(&argc, &argv, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  signal(SIGUSR1, tell);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &endpoint);
  if (argc > 1 && strcmp(argv[1], "blocked") == 0)
    blocked();
  else if (argc > 1 && strcmp(argv[1], "computing") == 0)
    computing();
  else
    polling();
  MPI_Comm_free(&endpoint);
  MPI_Finalize();
  if (rank == 0) printf("native progress: all well\n");
  return 0;
}
