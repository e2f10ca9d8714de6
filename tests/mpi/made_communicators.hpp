// SPDX-License-Identifier: BSD-3-Clause
// What tests of communicators that are made of others do again and again.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <functional>

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

/// Calls `test` with what is made of the communicator, in each way in turn, and frees it.
template <typename Test>
void with_each_made_of(MPI_Comm comm, Test test) {
  const int rank = rank_in(comm);
  const int size = size_of(comm);
  using Make = std::function<int(MPI_Comm*)>;
  const std::array<Make, 6> ways{[&](MPI_Comm* made) { return MPI_Comm_dup(comm, made); },
                                 [&](MPI_Comm* made) {
                                   MPI_Request request = MPI_REQUEST_NULL;
                                   const int code = MPI_Comm_idup(comm, made, &request);
                                   MPI_Wait(&request, MPI_STATUS_IGNORE);
                                   return code;
                                 },
                                 [&](MPI_Comm* made) { return MPI_Comm_split(comm, 0, -rank, made); },
                                 [&](MPI_Comm* made) { return MPI_Comm_split(comm, rank % 2, 0, made); },
                                 [&](MPI_Comm* made) {
                                   const int periodic = 1;
                                   return MPI_Cart_create(comm, 1, &size, &periodic, 0, made);
                                 },
                                 [&](MPI_Comm* made) {
                                   MPI_Group group = MPI_GROUP_NULL;
                                   MPI_Comm_group(comm, &group);
                                   const int code = MPI_Comm_create(comm, group, made);
                                   MPI_Group_free(&group);
                                   return code;
                                 }};
  for (std::size_t way = 0; way < ways.size(); ++way) {
    SCOPED_TRACE(way);
    MPI_Comm made = MPI_COMM_NULL;
    ASSERT_EQ(ways[way](&made), MPI_SUCCESS);
    test(made);
    MPI_Comm_free(&made);
  }
}

/// Of its topology.
inline int kind_of(MPI_Comm comm) {
  int kind = -1;
  EXPECT_EQ(MPI_Topo_test(comm, &kind), MPI_SUCCESS);
  return kind;
}

}  // namespace raddle::testing
