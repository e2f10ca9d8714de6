// SPDX-License-Identifier: BSD-3-Clause
// Groups of endpoints, as a program sees them. All ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <numeric>
#include <vector>

#include "mpi/own_endpoints.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::Endpoints;
using raddle::testing::rank_in;
using raddle::testing::size_of;

/// A group that is freed again.
class Group {
 public:
  Group() = default;
  explicit Group(MPI_Comm comm) { EXPECT_EQ(MPI_Comm_group(comm, &group_), MPI_SUCCESS); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (group_ == MPI_GROUP_NULL) return;
    EXPECT_EQ(MPI_Group_free(&group_), MPI_SUCCESS);
    EXPECT_EQ(group_, MPI_GROUP_NULL);
  }
  operator MPI_Group() const { return group_; }  // NOLINT(google-explicit-constructor): it is one
  MPI_Group* out() { return &group_; }           ///< where MPI puts one

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

int rank_of(MPI_Group group) {
  int rank = -1;
  EXPECT_EQ(MPI_Group_rank(group, &rank), MPI_SUCCESS);
  return rank;
}

int size_of_group(MPI_Group group) {
  int size = -1;
  EXPECT_EQ(MPI_Group_size(group, &size), MPI_SUCCESS);
  return size;
}

int compare(MPI_Group one, MPI_Group other) {
  int result = -1;
  EXPECT_EQ(MPI_Group_compare(one, other, &result), MPI_SUCCESS);
  return result;
}

/// The ranks of all of a group in another one.
std::vector<int> translate(MPI_Group of, MPI_Group in) {
  std::vector<int> ranks(static_cast<std::size_t>(size_of_group(of)));
  std::vector<int> translated(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  EXPECT_EQ(MPI_Group_translate_ranks(of, static_cast<int>(ranks.size()), ranks.data(), in, translated.data()),
            MPI_SUCCESS);
  return translated;
}

TEST(Groups, KnowTheEndpointThatTheyAreFrom) {
  Endpoints endpoints(3);
  for (int i = 0; i < 3; ++i) {
    const Group group(endpoints[i]);
    EXPECT_EQ(size_of_group(group), size_of(endpoints[i]));
    EXPECT_EQ(rank_of(group), rank_in(endpoints[i]));
    Group others;
    const int self = rank_in(endpoints[i]);
    EXPECT_EQ(MPI_Group_excl(group, 1, &self, others.out()), MPI_SUCCESS);
    EXPECT_EQ(rank_of(others), MPI_UNDEFINED);
    const Group again(endpoints[(i + 1) % 3]);
    EXPECT_NE(static_cast<MPI_Group>(group), static_cast<MPI_Group>(again));
    EXPECT_EQ(compare(group, again), MPI_IDENT);
  }
}

TEST(Groups, AreChosenFromByRanksAndRanges) {
  Endpoints endpoints(4);
  const Group all(endpoints[1]);
  const int size = size_of_group(all);
  const int self = rank_of(all);

  Group turned;
  std::array<std::array<int, 3>, 1> down{{{size - 1, 0, -1}}};
  EXPECT_EQ(MPI_Group_range_incl(all, 1, reinterpret_cast<int (*)[3]>(down.data()), turned.out()), MPI_SUCCESS);
  EXPECT_EQ(rank_of(turned), size - 1 - self);
  EXPECT_EQ(compare(all, turned), MPI_SIMILAR);

  Group odd;
  Group even;
  std::array<std::array<int, 3>, 1> second{{{0, size - 1, 2}}};
  EXPECT_EQ(MPI_Group_range_incl(all, 1, reinterpret_cast<int (*)[3]>(second.data()), even.out()), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_range_excl(all, 1, reinterpret_cast<int (*)[3]>(second.data()), odd.out()), MPI_SUCCESS);
  EXPECT_EQ(size_of_group(even) + size_of_group(odd), size);
  EXPECT_EQ(compare(even, odd), MPI_UNEQUAL);
  EXPECT_EQ(rank_of(even) == MPI_UNDEFINED, rank_of(odd) != MPI_UNDEFINED);

  Group joined;
  Group common;
  Group left;
  EXPECT_EQ(MPI_Group_union(odd, even, joined.out()), MPI_SUCCESS);
  EXPECT_EQ(compare(joined, all), MPI_SIMILAR);
  EXPECT_EQ(rank_of(joined), self % 2 == 1 ? self / 2 : size_of_group(odd) + self / 2);
  EXPECT_EQ(MPI_Group_intersection(odd, even, common.out()), MPI_SUCCESS);
  EXPECT_EQ(static_cast<MPI_Group>(common), MPI_GROUP_EMPTY);
  EXPECT_EQ(MPI_Group_difference(all, even, left.out()), MPI_SUCCESS);
  EXPECT_EQ(compare(left, odd), MPI_IDENT);
  EXPECT_EQ(translate(even, turned)[0], size - 1);
}

TEST(Groups, OfProcessesStandForTheirFirstEndpoints) {
  Endpoints endpoints(2);
  const Group all(endpoints[0]);
  const Group world(MPI_COMM_WORLD);
  for (int process = 0; process < size_of(MPI_COMM_WORLD); ++process)
    EXPECT_EQ(translate(world, all)[static_cast<std::size_t>(process)], 2 * process);
  for (int rank = 0; rank < size_of(endpoints[0]); ++rank)
    EXPECT_EQ(translate(all, world)[static_cast<std::size_t>(rank)], rank % 2 == 0 ? rank / 2 : MPI_UNDEFINED);
  Group firsts;
  EXPECT_EQ(MPI_Group_intersection(all, world, firsts.out()), MPI_SUCCESS);
  EXPECT_EQ(compare(firsts, world), MPI_IDENT);
  EXPECT_EQ(rank_of(firsts), rank_in(MPI_COMM_WORLD));
  Group same;
  EXPECT_EQ(MPI_Group_union(world, firsts, same.out()), MPI_SUCCESS);
  EXPECT_EQ(compare(world, same), MPI_IDENT);
  EXPECT_EQ(compare(all, world), MPI_UNEQUAL);
}

TEST(Groups, OfTheEmptyGroupAndNobody) {
  Endpoints endpoints(1);
  const Group all(endpoints[0]);
  Group same;
  Group none;
  EXPECT_EQ(MPI_Group_union(all, MPI_GROUP_EMPTY, same.out()), MPI_SUCCESS);
  EXPECT_EQ(compare(all, same), MPI_IDENT);
  EXPECT_EQ(MPI_Group_incl(all, 0, nullptr, none.out()), MPI_SUCCESS);
  EXPECT_EQ(static_cast<MPI_Group>(none), MPI_GROUP_EMPTY);
  EXPECT_EQ(compare(all, MPI_GROUP_EMPTY), MPI_UNEQUAL);
  const int nobody = MPI_PROC_NULL;
  int translated = 5;
  EXPECT_EQ(MPI_Group_translate_ranks(all, 1, &nobody, MPI_GROUP_EMPTY, &translated), MPI_SUCCESS);
  EXPECT_EQ(translated, MPI_PROC_NULL);
  EXPECT_EQ(translate(all, MPI_GROUP_EMPTY)[0], MPI_UNDEFINED);
}

TEST(Groups, RaiseErrorsWhereNoCommunicatorIsBehind) {
  Endpoints endpoints(2);
  const Group all(endpoints[0]);
  // Where MPIs raise errors that are about no communicator: before MPI-4.0 on the first one.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group made = all;
  const std::array<int, 2> twice{0, 0};
  const int beyond = size_of_group(all);
  EXPECT_EQ(class_of(MPI_Group_incl(all, 2, twice.data(), &made)), MPI_ERR_RANK);
  EXPECT_EQ(class_of(MPI_Group_excl(all, 1, &beyond, &made)), MPI_ERR_RANK);
  EXPECT_EQ(class_of(MPI_Group_incl(all, -1, twice.data(), &made)), MPI_ERR_ARG);
  EXPECT_EQ(class_of(MPI_Group_union(all, MPI_GROUP_NULL, &made)), MPI_ERR_GROUP);
  EXPECT_EQ(class_of(MPI_Group_difference(MPI_GROUP_NULL, all, &made)), MPI_ERR_GROUP);
  int translated = 0;
  EXPECT_EQ(class_of(MPI_Group_translate_ranks(all, 1, &beyond, all, &translated)), MPI_ERR_RANK);
  int range[1][3] = {{0, 1, 0}};
  EXPECT_EQ(class_of(MPI_Group_range_incl(all, 1, range, &made)), MPI_ERR_ARG);
  range[0][1] = beyond;
  range[0][2] = 1;
  EXPECT_EQ(class_of(MPI_Group_range_excl(all, 1, range, &made)), MPI_ERR_RANK);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

TEST(Groups, OutliveTheCommunicator) {
  Group group;
  {
    Endpoints endpoints(2);
    EXPECT_EQ(MPI_Comm_group(endpoints[1], group.out()), MPI_SUCCESS);
  }
  EXPECT_EQ(rank_of(group), 2 * rank_in(MPI_COMM_WORLD) + 1);
  Endpoints again(2);
  EXPECT_EQ(compare(group, Group(again[0])), MPI_IDENT);
}

TEST(Groups, ComeAndGoInManyThreads) {
  Endpoints endpoints(3);
  raddle::testing::each(endpoints, [](MPI_Comm comm, int) {
    for (int round = 0; round < 500; ++round) {
      const Group all(comm);
      Group first;
      const int rank = 0;
      ASSERT_EQ(MPI_Group_incl(all, 1, &rank, first.out()), MPI_SUCCESS);
      ASSERT_EQ(size_of_group(first), 1);
    }
  });
}

}  // namespace
