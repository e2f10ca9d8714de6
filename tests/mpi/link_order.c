/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked with the MPI before libraddle: nothing is made that calls of this program would not reach. */
#include <mpi.h>
#include <stdio.h>

#include "raddle/raddle.h"

static int failed(const char* what, int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  printf("%s: %s\n", what, code == MPI_SUCCESS ? "made all the same" : text);
  return code == MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int provided, wrong = 0;
  int data[2] = {0, 0};
  MPI_Comm endpoint;
  MPI_Request request;
  Raddle_Sparse_messages messages;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  wrong += failed("endpoints", MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &endpoint));
  wrong += failed("partitioned", Raddle_Psend_init(data, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  wrong += failed("sparse", Raddle_Sparse_exchange(data, 0, NULL, NULL, MPI_INT, MPI_INT, MPI_INFO_NULL, MPI_COMM_WORLD,
                                                   &messages));
  MPI_Finalize();
  printf("%s\n", wrong ? "went past libraddle" : "all refused");
  return wrong;
}
