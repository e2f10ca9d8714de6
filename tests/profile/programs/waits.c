/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes; in each round one of them comes late by as many milliseconds as are given. 0: the quiet twin. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 10
#define LARGE (1 << 20)

static char large[LARGE];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* how = argv[1];
  const useconds_t late = (useconds_t)atoi(argv[2]) * 1000;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 7, rank, &comm);
  char byte = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Request requests[2];
    MPI_Sendrecv(&byte, 1, MPI_CHAR, 1 - rank, 1, &byte, 1, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) usleep(late);
    if (strcmp(how, "barrier") == 0) {
      MPI_Barrier(comm);
    } else if (strcmp(how, "bcast") == 0) {
      MPI_Bcast(large, 8, MPI_CHAR, 1, comm);
    } else if (strcmp(how, "recv") == 0) {
      if (rank == 0) MPI_Recv(large, 100, MPI_CHAR, 1, 5, comm, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(large, 8, MPI_CHAR, 0, 5, comm);
    } else if (strcmp(how, "any") == 0) {
      if (rank == 0) MPI_Recv(large, 100, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(large, 8, MPI_CHAR, 0, 5, comm);
    } else if (strcmp(how, "mprobe") == 0) {
      MPI_Message message;
      if (rank == 0) MPI_Mprobe(MPI_ANY_SOURCE, 5, comm, &message, MPI_STATUS_IGNORE);
      if (rank == 0) MPI_Mrecv(large, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(large, 8, MPI_CHAR, 0, 5, comm);
    } else if (strcmp(how, "probe") == 0) {
      if (rank == 0) MPI_Probe(1, 5, comm, MPI_STATUS_IGNORE);
      if (rank == 0) MPI_Recv(large, 8, MPI_CHAR, 1, 5, comm, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(large, 8, MPI_CHAR, 0, 5, comm);
    } else if (strcmp(how, "ssend") == 0) {
      if (rank == 0) MPI_Ssend(large, 8, MPI_CHAR, 1, 5, comm);
      if (rank == 1) MPI_Recv(large, 8, MPI_CHAR, 0, 5, comm, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "waitall") == 0) {
      MPI_Irecv(large, 8, MPI_CHAR, 1 - rank, 5, comm, &requests[0]);
      MPI_Isend(&byte, 1, MPI_CHAR, 1 - rank, 5, comm, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (strcmp(how, "wait") == 0) {
      if (rank == 0) MPI_Irecv(large, 8, MPI_CHAR, 1, 5, comm, &requests[0]);
      if (rank == 1) MPI_Isend(large, 8, MPI_CHAR, 0, 5, comm, &requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
