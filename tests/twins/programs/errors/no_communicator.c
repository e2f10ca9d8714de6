// SPDX-License-Identifier: BSD-3-Clause
// Errors of calls that have no communicator are raised on MPI_COMM_SELF, before MPI-4.0 on MPI_COMM_WORLD (MPI-4.1 9.3): both return
// here, or both have a handler of the program's.
// args: return | own
#include "../twin.h"

static int called;

static void count(MPI_Comm* comm, int* code, ...) { called++; }

// With a handler of the program's, MPICH returns MPI_SUCCESS.
#define TRY(call) \
  (called = 0, code = (call), say("%s: class %d, calls of the handler: %d", #call, called ? 0 : class_of(code), called))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (is_arg(argc, argv, "own")) MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  int n, code;
  MPI_Datatype type;
  MPI_Info info;
  MPI_Group group, other;
  MPI_Comm comm;
  MPI_Op op = MPI_OP_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Type_contiguous(-1, MPI_INT, &type));
  TRY(MPI_Type_vector(-1, 1, 1, MPI_INT, &type));
  type = MPI_DATATYPE_NULL;
  TRY(MPI_Type_commit(&type));
  TRY(MPI_Type_free(&type));
  TRY(MPI_Type_size(MPI_DATATYPE_NULL, &n));
  TRY(MPI_Info_set(MPI_INFO_NULL, "a", "b"));
  MPI_Info_create(&info);
  TRY(MPI_Info_delete(info, "not there"));
  MPI_Info_free(&info);
  TRY(MPI_Group_size(MPI_GROUP_NULL, &n));
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  int far = 99;
  TRY(MPI_Group_incl(group, 1, &far, &other));
  MPI_Group_free(&group);
  TRY(MPI_Comm_size(MPI_COMM_NULL, &n));
  TRY(MPI_Comm_dup(MPI_COMM_NULL, &comm));
  TRY(MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
  TRY(MPI_Barrier(MPI_COMM_NULL));
  TRY(MPI_Op_free(&op));
  TRY(MPI_Start(&request));
  TRY(MPI_Request_free(&request));
  TRY(MPI_Cancel(&request));
  n = MPI_KEYVAL_INVALID;
  TRY(MPI_Comm_free_keyval(&n));
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Finalize();
  return 0;
}
