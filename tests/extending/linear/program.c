// SPDX-License-Identifier: BSD-3-Clause
// A program that exchanges messages, by an algorithm that is asked for and by those that are tried.
#include <mpi.h>
#include <raddle/raddle.h>
#include <stdio.h>
#include <string.h>

#define CHECK(what)                                 \
  if (!(what)) {                                    \
    printf("program.c: %d: %s\n", __LINE__, #what); \
    MPI_Abort(MPI_COMM_WORLD, 1);                   \
  }

static int rank, size;

// Each of two ranks or more sends two messages to the next one, and in odd rounds one to itself.
static void exchange(MPI_Comm comm, MPI_Info info, int round) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const int values[] = {rank, round, -rank, 7};
  const int dests[] = {next, next, rank};
  const MPI_Count offsets[] = {0, 2, 3, 4};
  Raddle_Sparse_messages got;
  CHECK(Raddle_Sparse_exchange(values, 2 + round % 2, dests, offsets, MPI_INT, MPI_INT, info, comm, &got) ==
        MPI_SUCCESS);
  CHECK(got.count == 2 + round % 2);
  int seen = 0;
  for (int i = 0; i < got.count; ++i) {
    const int* const value = (const int*)got.data + got.offsets[i];
    const MPI_Count count = got.offsets[i + 1] - got.offsets[i];
    if (got.ranks[i] == rank) {
      CHECK(round % 2 == 1 && count == 1 && value[0] == 7);
    } else if (seen++ == 0) {
      CHECK(got.ranks[i] == previous && count == 2 && value[0] == previous && value[1] == round);
    } else {
      CHECK(got.ranks[i] == previous && count == 1 && value[0] == -previous);
    }
  }
  CHECK(Raddle_Sparse_free(&got) == MPI_SUCCESS);
}

static int last_was(MPI_Comm comm, const char* name) {
  const char* last = NULL;
  CHECK(Raddle_Sparse_algorithm(comm, &last) == MPI_SUCCESS && last != NULL);
  return strcmp(last, name) == 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 20; ++round) {
    exchange(MPI_COMM_WORLD, MPI_INFO_NULL, round);
    CHECK(last_was(MPI_COMM_WORLD, "linear"));
  }
  MPI_Comm comm;
  MPI_Info automatic;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Info_create(&automatic);
  MPI_Info_set(automatic, "raddle_sparse_algorithm", "auto");
  int tried = 0;
  for (int round = 0; round < 100; ++round) {
    exchange(comm, automatic, round);
    tried += last_was(comm, "linear");
  }
  CHECK(tried > 0 && tried < 100);
  MPI_Info_free(&automatic);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  printf("program: all well\n");
  return 0;
}
