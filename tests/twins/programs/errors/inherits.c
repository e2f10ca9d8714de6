// SPDX-License-Identifier: BSD-3-Clause
// What is made of a communicator has its error handler, whichever that is (MPI-4.1 7.4.2, 9.3).
// args: return | own
// ranks: 4
#include "../twin.h"

static int called;

static void count(MPI_Comm* comm, int* code, ...) { called++; }

static void look(const char* what, MPI_Comm comm) {
  int value = 0;
  called = 0;
  const int code = MPI_Send(&value, 1, MPI_INT, 99, 0, comm);
  // With a handler of the program's, MPICH returns MPI_SUCCESS.
  say("%s: %s, told of a wrong send: %d, calls of the handler: %d", what, handler_of(comm),
      called || code != MPI_SUCCESS, called);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (is_arg(argc, argv, "own")) MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm parent, made, grand;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_errhandler(parent, handler);
  look("parent", parent);
  MPI_Comm_dup(parent, &made);
  look("MPI_Comm_dup", made);
  MPI_Comm_split(made, rank / 2, 0, &grand);
  look("MPI_Comm_split of it", grand);
  MPI_Comm_free(&made);
  look("still", grand);
  MPI_Comm_free(&grand);
  MPI_Request request;
  MPI_Comm_idup(parent, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  look("MPI_Comm_idup", made);
  MPI_Comm_free(&made);
  MPI_Comm_dup_with_info(parent, MPI_INFO_NULL, &made);
  look("MPI_Comm_dup_with_info", made);
  MPI_Comm_free(&made);
  int dims[2] = {2, size / 2}, periods[2] = {0, 1}, keep[2] = {1, 0};
  MPI_Cart_create(parent, 2, dims, periods, 1, &made);
  look("MPI_Cart_create", made);
  MPI_Cart_sub(made, keep, &grand);
  look("MPI_Cart_sub", grand);
  MPI_Comm_free(&grand);
  MPI_Comm_free(&made);
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Dist_graph_create_adjacent(parent, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  look("MPI_Dist_graph_create_adjacent", made);
  MPI_Comm_free(&made);
  int index[4] = {1, 2, 3, 4}, edges[4] = {1, 0, 3, 2};
  MPI_Graph_create(parent, size, index, edges, 0, &made);
  look("MPI_Graph_create", made);
  MPI_Comm_free(&made);
  say("MPI_COMM_WORLD: %s", handler_of(MPI_COMM_WORLD));
  MPI_Comm_free(&parent);
  if (handler != MPI_ERRORS_RETURN) MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
