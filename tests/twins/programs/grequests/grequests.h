// SPDX-License-Identifier: BSD-3-Clause
// Generalized requests that tell of their callbacks (MPI-4.1 13.2).
#ifndef GREQUESTS_H
#define GREQUESTS_H
#include "../twin.h"

typedef struct {
  int number;
  int code;  // of the query
  int cancelled;
  int asked;
} State;

static inline int query_it(void* extra, MPI_Status* status) {
  State* state = extra;
  MPI_Status_set_elements(status, MPI_INT, 10 + state->number);
  MPI_Status_set_cancelled(status, state->cancelled);
  status->MPI_SOURCE = 20 + state->number;
  status->MPI_TAG = 30 + state->number;
  // Which asks for the rank: the program's calls are as everywhere. How often it is asked is the MPI's affair.
  if (state->asked++ == 0) say("query of %d", state->number);
  return state->code;
}

static inline int free_it(void* extra) {
  say("free of %d", ((const State*)extra)->number);
  return MPI_SUCCESS;
}

static inline int cancel_it(void* extra, int complete) {
  State* state = extra;
  say("cancel of %d, complete: %d", state->number, complete);
  if (!complete) state->cancelled = 1;
  return MPI_SUCCESS;
}

static inline MPI_Request started(State* state) {
  MPI_Request request;
  MPI_Grequest_start(query_it, free_it, cancel_it, state, &request);
  return request;
}

static inline void tell(const char* what, const MPI_Status* status) {
  int count = -1, cancelled = -1;
  MPI_Get_count(status, MPI_INT, &count);
  MPI_Test_cancelled(status, &cancelled);
  say("%s: source %d, tag %d, count %d, cancelled %d", what, status->MPI_SOURCE, status->MPI_TAG, count, cancelled);
}
#endif
