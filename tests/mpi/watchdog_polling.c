/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that looks again and again for what never comes is told by RADDLE_WATCHDOG where it waits, in which call,
 * and what for, as one is that is blocked. It looks until it has been told: without the lines it never ends. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raddle/raddle.h"

enum { tag = 41 };
enum way { test, testany, testsome, testall, get_status, iprobe, improbe, parrived, ways };
static const char* const names[ways] = {
    "MPI_Test",   "MPI_Testany", "MPI_Testsome", "MPI_Testall", "MPI_Request_get_status",
    "MPI_Iprobe", "MPI_Improbe", "MPI_Parrived"};

static MPI_Comm endpoints[2];
static int told[2]; /* a pipe: what is written to stderr */
static int saved_stderr;
static char text[1 << 16];
static size_t length;

static int listens(const char* what) {
  const ssize_t more = read(told[0], text + length, sizeof text - length - 1);
  if (more > 0) length += (size_t)more;
  text[length] = '\0';
  return strstr(text, what) != NULL;
}

static void fail(const char* way, const char* lacks) {
  dup2(saved_stderr, 2);
  fprintf(stderr, "watchdog: %s: no \"%s\" in:\n%s\n", way, lacks, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int look(enum way way, MPI_Request* request, MPI_Message* message) {
  int flag = 0, index = 0;
  switch (way) {
    case test:
      MPI_Test(request, &flag, MPI_STATUS_IGNORE);
      break;
    case testany:
      MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE);
      break;
    case testsome:
      MPI_Testsome(1, request, &flag, &index, MPI_STATUSES_IGNORE);
      break;
    case testall:
      MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE);
      break;
    case get_status:
      MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
      break;
    case iprobe:
      MPI_Iprobe(1, tag, endpoints[0], &flag, MPI_STATUS_IGNORE);
      break;
    case improbe:
      MPI_Improbe(1, tag, endpoints[0], &flag, message, MPI_STATUS_IGNORE);
      break;
    default:
      Raddle_Parrived(*request, 0, &flag);
      break;
  }
  return flag;
}

/* What was looked for comes, so that the next wait is another one. */
static void end(enum way way, MPI_Request* request, MPI_Message* message) {
  int word = 0;
  MPI_Request send = MPI_REQUEST_NULL;
  if (way == parrived) {
    Raddle_Psend_init(&word, 1, 1, MPI_INT, 0, tag, endpoints[1], MPI_INFO_NULL, &send);
    MPI_Start(&send);
    Raddle_Pready(0, send);
  } else {
    MPI_Isend(&word, 1, MPI_INT, 0, tag, endpoints[1], &send);
  }
  while (!look(way, request, message)) {
  }
  if (way == iprobe) MPI_Recv(&word, 1, MPI_INT, 1, tag, endpoints[0], MPI_STATUS_IGNORE);
  if (way == improbe) MPI_Mrecv(&word, 1, MPI_INT, message, MPI_STATUS_IGNORE);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  if (way != parrived) return;
  MPI_Request_free(request);
  MPI_Request_free(&send);
}

static void one(enum way way, const char* name) {
  char line[128];
  int word = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Comm_set_name(endpoints[0], name);
  length = 0;
  if (way < iprobe) MPI_Irecv(&word, 1, MPI_INT, 1, tag, endpoints[0], &request);
  if (way == parrived) {
    Raddle_Precv_init(&word, 1, 1, MPI_INT, 1, tag, endpoints[0], MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  snprintf(line, sizeof line, " in %s. ", names[way]);
  /* All is there once the line is that comes last: lines are written in one piece. */
  for (long turn = 1; turn % 4096 != 0 || !listens(line); ++turn) {
    if (look(way, &request, &message)) fail(names[way], "nothing that came");
  }
  if (name[0] != '\0') {
    snprintf(line, sizeof line, "endpoint 0 of 2 (communicator %s) has waited", name);
    if (!listens(line)) fail(names[way], line);
  } else if (!listens("endpoint 0 of 2 (communicator 0x")) {
    fail(names[way], "(communicator 0x");
  }
  if (way < iprobe && !listens("receive posted: from 1, tag 41")) fail(names[way], "receive posted: from 1, tag 41");
  end(way, &request, &message);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, endpoints);
  saved_stderr = dup(2);
  if (pipe2(told, O_NONBLOCK) != 0 || dup2(told[1], 2) < 0) return 1;
  for (int way = 0; way < ways; ++way) {
    one((enum way)way, "halo");
    one((enum way)way, "");
  }
  dup2(saved_stderr, 2);
  MPI_Comm_free(&endpoints[0]);
  MPI_Comm_free(&endpoints[1]);
  MPI_Finalize();
  printf("watchdog: all well\n");
  return 0;
}
