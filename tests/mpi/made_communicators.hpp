// SPDX-License-Identifier: BSD-3-Clause
// What tests of communicators that are made of others do again and again.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/own_endpoints.hpp"

namespace raddle::testing {

/// Each process has another number of them.
inline int uneven() { return 1 + (rank_in(MPI_COMM_WORLD) + 1) % 3; }

inline int compare(MPI_Comm one, MPI_Comm other) {
  int result = -1;
  EXPECT_EQ(MPI_Comm_compare(one, other, &result), MPI_SUCCESS);
  return result;
}

/// All ranks of a communicator pass on their ranks, to the right and around.
inline void pass_around(MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int size = size_of(comm);
  int got = -1;
  MPI_Status status;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  EXPECT_EQ(got, (rank + size - 1) % size);
  EXPECT_EQ(status.MPI_SOURCE, got);
  EXPECT_EQ(status.MPI_TAG, 3);
}

inline MPI_Comm dup(MPI_Comm comm) {
  MPI_Comm made = MPI_COMM_NULL;
  EXPECT_EQ(MPI_Comm_dup(comm, &made), MPI_SUCCESS);
  return made;
}

inline MPI_Comm split(MPI_Comm comm, int colour, int key) {
  MPI_Comm made = MPI_COMM_SELF;
  EXPECT_EQ(MPI_Comm_split(comm, colour, key, &made), MPI_SUCCESS);
  return made;
}

/// Of its topology.
inline int kind_of(MPI_Comm comm) {
  int kind = -1;
  EXPECT_EQ(MPI_Topo_test(comm, &kind), MPI_SUCCESS);
  return kind;
}

}  // namespace raddle::testing
