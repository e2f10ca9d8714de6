/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of each algorithm in a program that asks for one thread, or for several of which one calls the MPI:
 *
 *     sparse_funneled single|funneled|serialized
 */
#include <mpi.h>
#include <raddle/raddle.h>
#include <stdio.h>
#include <string.h>

enum { rounds = 50, words = 8 };

static int wrong_in(const Raddle_Sparse_messages* in, int rank, int size, int round) {
  const int source = (rank + size - round % size) % size;
  if (in->count != 2 || in->ranks[0] != source || in->ranks[1] != source) return 1;
  if (in->offsets[1] != words || in->offsets[2] != words) return 1;
  for (int i = 0; i < words; ++i)
    if (((const int*)in->data)[i] != 1000 * source + round) return 1;
  return 0;
}

static int exchange(const char* algorithm, int round) {
  int rank, size, data[words];
  MPI_Info info;
  MPI_Request request;
  Raddle_Sparse_messages in;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int dest = (rank + round) % size;
  const int dests[2] = {dest, dest};
  const MPI_Count offsets[3] = {0, words, words};
  for (int i = 0; i < words; ++i) data[i] = 1000 * rank + round;
  MPI_Info_create(&info);
  MPI_Info_set(info, "raddle_sparse_algorithm", algorithm);
  if (round % 3 == 0) {
    Raddle_Sparse_iexchange(data, 2, dests, offsets, MPI_INT, MPI_INT, info, MPI_COMM_WORLD, &in, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (round % 3 == 1) {
    Raddle_Sparse_exchange_init(data, 2, dests, offsets, MPI_INT, MPI_INT, info, MPI_COMM_WORLD, &in, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  } else {
    Raddle_Sparse_exchange(data, 2, dests, offsets, MPI_INT, MPI_INT, info, MPI_COMM_WORLD, &in);
  }
  const int wrong = wrong_in(&in, rank, size, round);
  Raddle_Sparse_free(&in);
  MPI_Info_free(&info);
  return wrong;
}

int main(int argc, char** argv) {
  static const char* const algorithms[] = {"alltoallv", "pex",      "pcx",    "rsx", "nbx",
                                           "nary",      "locality", "shared", "auto"};
  int level, rank, wrong = 0;
  const char* const asked = argc > 1 ? argv[1] : "single";
  MPI_Init_thread(&argc, &argv,
                  strcmp(asked, "funneled") == 0     ? MPI_THREAD_FUNNELED
                  : strcmp(asked, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                                     : MPI_THREAD_SINGLE,
                  &level);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; ++a)
    for (int round = 0; round < rounds; ++round) wrong += exchange(algorithms[a], round);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sparse_funneled: %s%s\n", wrong == 0 ? "all good" : "wrong messages",
           level == MPI_THREAD_MULTIPLE ? ", but several threads may call" : "");
  MPI_Finalize();
  return wrong != 0;
}
