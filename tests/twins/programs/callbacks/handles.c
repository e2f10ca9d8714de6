// SPDX-License-Identifier: BSD-3-Clause
// Callbacks are given the handle that the program used, which for MPI_COMM_WORLD and MPI_COMM_SELF is a constant (MPI-4.1 2.5.4, 7.7.2,
// 9.3.1).
// args: world | self | dup | split
#include "../twin.h"

static MPI_Comm used;
static int copied, deleted, raised;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  copied += comm == used ? 1 : 100;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int del(MPI_Comm comm, int key, void* value, void* extra) {
  deleted += comm == used ? 1 : 100;
  return MPI_SUCCESS;
}

static void handler(MPI_Comm* comm, int* code, ...) { raised += *comm == used ? 1 : 100; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD, made;
  if (is_arg(argc, argv, "self")) comm = MPI_COMM_SELF;
  if (is_arg(argc, argv, "dup")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (is_arg(argc, argv, "split")) MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
  used = comm;
  int key, v = 0;
  MPI_Comm_create_keyval(copy, del, &key, NULL);
  MPI_Comm_set_attr(comm, key, &v);
  MPI_Comm_dup(comm, &made);
  say("copied %d", copied);
  used = made;
  MPI_Comm_free(&made);
  say("deleted with the copy %d", deleted);
  used = comm;
  MPI_Comm_set_attr(comm, key, &copied);
  say("deleted when it is set again %d", deleted);
  MPI_Comm_delete_attr(comm, key);
  say("deleted %d", deleted);
  MPI_Comm_free_keyval(&key);
  MPI_Errhandler mine;
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Send(&v, 1, MPI_INT, 99, 0, comm);
  say("raised by a send %d", raised);
  MPI_Recv(&v, 1, MPI_INT, 99, 0, comm, MPI_STATUS_IGNORE);
  MPI_Bcast(&v, 1, MPI_INT, 99, comm);
  say("raised by a receive and a broadcast %d", raised);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&mine);
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
