// SPDX-License-Identifier: BSD-3-Clause
// Communicators of some of the ranks of an endpoints communicator: by colours, by what processes share, by groups. All
// ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <vector>

#include "mpi/made_communicators.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::compare;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::pass_around;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::split;
using raddle::testing::uneven;

TEST(CommunicatorsOfSome, AreSplitByColourInTheOrderOfKeys) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    MPI_Comm part = split(comm, rank % 2, -rank);
    const int members = size / 2 + (rank % 2 == 0 ? size % 2 : 0);
    ASSERT_EQ(size_of(part), members);
    EXPECT_EQ(rank_in(part), members - 1 - rank / 2);
    EXPECT_EQ(compare(part, comm), size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    pass_around(part);
    MPI_Comm_free(&part);

    MPI_Comm turned = split(comm, 5, -rank);
    EXPECT_EQ(rank_in(turned), size - 1 - rank);
    EXPECT_EQ(compare(turned, comm), size == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
    pass_around(turned);
    MPI_Comm_free(&turned);

    MPI_Comm some = split(comm, rank == 0 ? MPI_UNDEFINED : 1, 0);
    EXPECT_EQ(some == MPI_COMM_NULL, rank == 0);
    if (some != MPI_COMM_NULL) {
      EXPECT_EQ(rank_in(some), rank - 1);
      pass_around(some);
      MPI_Comm_free(&some);
    }
    EXPECT_EQ(split(comm, MPI_UNDEFINED, 0), MPI_COMM_NULL);
  });
}

TEST(CommunicatorsOfSome, AreSplitByWhatProcessesShare) {
  Endpoints endpoints(uneven());
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  const bool all_together = size_of(machine) == size_of(MPI_COMM_WORLD);
  MPI_Comm_free(&machine);
  each(endpoints, [&](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    MPI_Comm part = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &part), MPI_SUCCESS);
    if (all_together) {
      EXPECT_EQ(size_of(part), size_of(comm));
      EXPECT_EQ(rank_in(part), size_of(comm) - 1 - rank);
    }
    pass_around(part);
    MPI_Comm_free(&part);
    const int type = rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
    EXPECT_EQ(MPI_Comm_split_type(comm, type, 0, MPI_INFO_NULL, &part), MPI_SUCCESS);
    EXPECT_EQ(part == MPI_COMM_NULL, rank == 0);
    if (part == MPI_COMM_NULL) return;
    if (all_together) {
      EXPECT_EQ(size_of(part), size_of(comm) - 1);
    }
    pass_around(part);
    MPI_Comm_free(&part);
  });
}

#ifdef MPI_COMM_TYPE_HW_UNGUIDED
TEST(CommunicatorsOfSome, AreSplitNoFurtherThanTheirProcesses) {
  Endpoints endpoints(2);
  MPI_Comm processes = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &processes);
  const int expected = processes == MPI_COMM_NULL ? 0 : 2 * size_of(processes);
  if (processes != MPI_COMM_NULL) MPI_Comm_free(&processes);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm part = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &part), MPI_SUCCESS);
    EXPECT_EQ(part == MPI_COMM_NULL ? 0 : size_of(part), expected);
    if (part == MPI_COMM_NULL) return;
    pass_around(part);
    MPI_Comm_free(&part);
  });
}
#endif

/// The ranks that leave `rest` when divided by `by`.
MPI_Group every(MPI_Comm comm, int by, int rest) {
  std::vector<int> ranks;
  for (int rank = rest; rank < size_of(comm); rank += by) ranks.push_back(rank);
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
  MPI_Group_free(&all);
  return some;
}

TEST(CommunicatorsOfSome, AreMadeOfGroups) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group even = every(comm, 2, 0);
    MPI_Group odd = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    MPI_Group_difference(all, even, &odd);
    MPI_Comm made = MPI_COMM_NULL;
    // Different groups for different ranks, at the same time.
    EXPECT_EQ(MPI_Comm_create(comm, rank % 2 == 0 ? even : odd, &made), MPI_SUCCESS);
    ASSERT_NE(made, MPI_COMM_NULL);
    EXPECT_EQ(rank_in(made), rank / 2);
    pass_around(made);
    MPI_Group of_made = MPI_GROUP_NULL;
    int result = -1;
    MPI_Comm_group(made, &of_made);
    MPI_Group_compare(of_made, rank % 2 == 0 ? even : odd, &result);
    EXPECT_EQ(result, MPI_IDENT);
    int place = -1;
    MPI_Group_rank(of_made, &place);
    EXPECT_EQ(place, rank_in(made));
    MPI_Comm_free(&made);

    EXPECT_EQ(MPI_Comm_create(comm, even, &made), MPI_SUCCESS);
    EXPECT_EQ(made == MPI_COMM_NULL, rank % 2 == 1);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    EXPECT_EQ(MPI_Comm_create(comm, MPI_GROUP_EMPTY, &made), MPI_SUCCESS);
    EXPECT_EQ(made, MPI_COMM_NULL);

    // Of a group of processes their first endpoints.
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    EXPECT_EQ(MPI_Comm_create(comm, world, &made), MPI_SUCCESS);
    if (made != MPI_COMM_NULL) {
      EXPECT_EQ(compare(made, MPI_COMM_WORLD), MPI_CONGRUENT);
      pass_around(made);
      MPI_Comm_free(&made);
    }
    for (MPI_Group* group : {&all, &even, &odd, &of_made, &world}) MPI_Group_free(group);
  });
}

TEST(CommunicatorsOfSome, AreMadeBySomeOfThemWithoutTheOthers) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    for (int round = 0; round < 5; ++round) {
      // Two groups with one tag at once; and only one of them again and again.
      for (const int again : {1, 1 + rank % 2}) {
        for (int i = 0; i < again; ++i) {
          MPI_Group group = every(comm, 2, rank % 2);
          MPI_Comm made = MPI_COMM_NULL;
          EXPECT_EQ(MPI_Comm_create_group(comm, group, 7, &made), MPI_SUCCESS);
          ASSERT_NE(made, MPI_COMM_NULL);
          EXPECT_EQ(rank_in(made), rank / 2);
          pass_around(made);
          MPI_Comm_free(&made);
          MPI_Group_free(&group);
        }
      }
    }
    MPI_Group others = every(comm, 2, 1 - rank % 2);
    MPI_Comm made = MPI_COMM_SELF;
    EXPECT_EQ(MPI_Comm_create_group(comm, others, 7, &made), MPI_SUCCESS);  // has nothing to do
    EXPECT_EQ(made, MPI_COMM_NULL);
    MPI_Group_free(&others);
  });
}

TEST(CommunicatorsOfSome, OfOverlappingGroupsAreToldApart) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    const auto pair_with = [&](int other, int tag) {
      if (other < 0 || other >= size_of(comm)) return;
      std::array<int, 2> ranks{rank < other ? rank : other, rank < other ? other : rank};
      MPI_Group pair = MPI_GROUP_NULL;
      MPI_Comm made = MPI_COMM_NULL;
      MPI_Group_incl(all, 2, ranks.data(), &pair);
      EXPECT_EQ(MPI_Comm_create_group(comm, pair, tag, &made), MPI_SUCCESS);
      ASSERT_EQ(size_of(made), 2);
      pass_around(made);
      MPI_Comm_free(&made);
      MPI_Group_free(&pair);
    };
    for (int round = 0; round < 4; ++round) {
      pair_with(rank - 1, 0);  // a chain, from the first on
      pair_with(rank + 1, 0);
    }
    MPI_Group_free(&all);
  });
}

TEST(CommunicatorsOfSome, AreMadeWhereSomeProcessesHaveNone) {
  const int processes = size_of(MPI_COMM_WORLD);
  Endpoints endpoints(rank_in(MPI_COMM_WORLD) == 1 ? 0 : 2);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int size = size_of(comm);
    MPI_Comm turned = split(comm, 0, -rank_in(comm));
    EXPECT_EQ(rank_in(turned), size - 1 - rank_in(comm));
    pass_around(turned);
    MPI_Comm_free(&turned);
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const int code = MPI_Comm_create(comm, world, &made);
    EXPECT_EQ(class_of(code), processes > 1 ? MPI_ERR_GROUP : MPI_SUCCESS);  // process 1 has no first endpoint
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Group_free(&world);
  });
}

}  // namespace
