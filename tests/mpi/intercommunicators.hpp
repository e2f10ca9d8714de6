// SPDX-License-Identifier: BSD-3-Clause
// What tests of intercommunicators have in common.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "mpi/made_communicators.hpp"
#include "mpi/own_endpoints.hpp"
#include "mpi/with_endpoints.hpp"

namespace raddle::testing {

/// The first of two groups: which ranks are in it.
using Cut = std::function<bool(int rank, int size)>;

/// Ways to cut a communicator in two.
inline const std::vector<Cut>& cuts() {
  static const std::vector<Cut> all{
      [](int rank, int) { return rank % 2 == 0; }, [](int rank, int) { return rank == 0; },
      [](int rank, int size) { return rank < size - 1; }, [](int rank, int size) { return rank >= (size + 1) / 2; }};
  return all;
}

/// An intercommunicator of this rank's, freed with it; its ranks are known by those in the communicator it is made of.
struct Between {
  Between(MPI_Comm from, const Cut& cut, int tag = 11) : me(rank_in(from)) {
    const int all = size_of(from);
    for (int of = 0; of < all; ++of) (cut(of, all) == cut(me, all) ? local : remote).push_back(of);
    in_first = cut(me, all);
    MPI_Comm own = split(from, in_first ? 0 : 1, 0);
    // Leaders are no first ranks, where there are others.
    EXPECT_EQ(MPI_Intercomm_create(own, static_cast<int>(local.size()) - 1, from, remote.back(), tag, &comm),
              MPI_SUCCESS);
    MPI_Comm_free(&own);
    rank = rank_in(comm);
  }
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;
  ~Between() { EXPECT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS); }

  [[nodiscard]] int remote_size() const { return static_cast<int>(remote.size()); }

  MPI_Comm comm = MPI_COMM_NULL;
  int me;
  int rank = -1;
  bool in_first = false;
  std::vector<int> local;
  std::vector<int> remote;
};

inline std::vector<int> ranks_of(MPI_Group group, MPI_Comm in) {
  int size = 0;
  MPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> found(ranks.size(), -1);
  for (int i = 0; i < size; ++i) ranks[static_cast<std::size_t>(i)] = i;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(in, &all);
  EXPECT_EQ(MPI_Group_translate_ranks(group, size, ranks.data(), all, found.data()), MPI_SUCCESS);
  MPI_Group_free(&all);
  return found;
}

inline std::vector<int> remote_ranks_of(MPI_Comm comm, MPI_Comm in) {
  MPI_Group group = MPI_GROUP_NULL;
  EXPECT_EQ(MPI_Comm_remote_group(comm, &group), MPI_SUCCESS);
  std::vector<int> ranks = ranks_of(group, in);
  MPI_Group_free(&group);
  return ranks;
}

/// Each sends to each of the other group who it is.
inline void exchange(MPI_Comm comm, int me, const std::vector<int>& remote) {
  int size = -1;
  EXPECT_EQ(MPI_Comm_remote_size(comm, &size), MPI_SUCCESS);
  ASSERT_EQ(size, static_cast<int>(remote.size()));
  std::vector<MPI_Request> requests;
  std::vector<int> got(remote.size(), -1);
  for (int other = 0; other < size; ++other) {
    MPI_Irecv(&got[static_cast<std::size_t>(other)], 1, MPI_INT, other, 0, comm, &requests.emplace_back());
    MPI_Isend(&me, 1, MPI_INT, other, 0, comm, &requests.emplace_back());
  }
  std::vector<MPI_Status> statuses(requests.size());
  EXPECT_EQ(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data()), MPI_SUCCESS);
  for (std::size_t other = 0; other < remote.size(); ++other) {
    EXPECT_EQ(got[other], remote[other]);
    EXPECT_EQ(statuses[2 * other].MPI_SOURCE, static_cast<int>(other));
  }
}

}  // namespace raddle::testing
