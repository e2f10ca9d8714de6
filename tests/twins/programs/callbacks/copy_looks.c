// SPDX-License-Identifier: BSD-3-Clause
// A copy function finds the communicator's error handler as the program has set it, may make an error, and may set another one
// (MPI-4.1 7.7.2, 9.3).
// args: dup | idup | with-info
#include "../twin.h"

static int first_calls, second_calls, same, sets;
static MPI_Errhandler first_handler, second_handler;

static void first(MPI_Comm* comm, int* code, ...) { first_calls++; }
static void second(MPI_Comm* comm, int* code, ...) { second_calls++; }

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  MPI_Errhandler now;
  int v = 0;
  MPI_Comm_get_errhandler(comm, &now);
  same += now == first_handler;
  MPI_Errhandler_free(&now);
  MPI_Send(&v, 1, MPI_INT, 99, 0, comm);
  if (sets) MPI_Comm_set_errhandler(comm, second_handler);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static void duplicate(int argc, char** argv, MPI_Comm comm) {
  MPI_Comm made;
  if (is_arg(argc, argv, "idup")) {
    MPI_Request request;
    MPI_Comm_idup(comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (is_arg(argc, argv, "with-info")) {
    MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &made);
  } else {
    MPI_Comm_dup(comm, &made);
  }
  MPI_Comm_free(&made);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  int key, v = 0;
  MPI_Comm_create_errhandler(first, &first_handler);
  MPI_Comm_create_errhandler(second, &second_handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, first_handler);
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(comm, key, &v);
  duplicate(argc, argv, comm);
  say("found the same: %d, called %d", same, first_calls);
  sets = 1;
  duplicate(argc, argv, comm);
  MPI_Send(&v, 1, MPI_INT, 99, 0, comm);
  say("found the same: %d, called %d and %d", same, first_calls, second_calls);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
  MPI_Errhandler_free(&first_handler);
  MPI_Errhandler_free(&second_handler);
  MPI_Finalize();
  return 0;
}
