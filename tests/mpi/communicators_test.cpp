// SPDX-License-Identifier: BSD-3-Clause
// Communicators made of endpoints communicators, as a program sees them: duplicates, and what is true of all. All ranks
// run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "mpi/made_communicators.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::compare;
using raddle::testing::dup;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::pass_around;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::split;
using raddle::testing::uneven;

/// Waits until all ranks have come.
void meet(MPI_Comm comm) {
  const int size = size_of(comm);
  const int rank = rank_in(comm);
  for (int distance = 1; distance < size; distance *= 2) {
    MPI_Sendrecv(nullptr, 0, MPI_INT, (rank + distance) % size, 99, nullptr, 0, MPI_INT,
                 (rank + size - distance) % size, 99, comm, MPI_STATUS_IGNORE);
  }
}

TEST(Communicators, DuplicatesHaveTheSameRanksAndOtherMessages) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm made = dup(comm);
    EXPECT_EQ(rank_in(made), rank_in(comm));
    EXPECT_EQ(size_of(made), size_of(comm));
    EXPECT_EQ(compare(made, comm), MPI_CONGRUENT);
    EXPECT_EQ(compare(made, made), MPI_IDENT);
    const std::array<int, 2> sent{1, 2};
    const int right = (rank_in(comm) + 1) % size_of(comm);
    MPI_Send(&sent[1], 1, MPI_INT, right, 0, made);
    MPI_Send(&sent[0], 1, MPI_INT, right, 0, comm);
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    EXPECT_EQ(got, 1);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, made, MPI_STATUS_IGNORE);
    EXPECT_EQ(got, 2);
    MPI_Comm_free(&made);
    EXPECT_EQ(made, MPI_COMM_NULL);
  });
}

TEST(Communicators, CarryLongMessagesThatWereUnderWayBefore) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    std::vector<int> out(300000, rank);
    std::vector<int> in(out.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 300000, MPI_INT, (rank + 1) % size, 0, comm, &request);
    MPI_Comm made = dup(comm);
    MPI_Recv(in.data(), 300000, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(in, std::vector<int>(300000, (rank + size - 1) % size));
    MPI_Isend(out.data(), 300000, MPI_INT, (rank + 1) % size, 0, made, &request);
    MPI_Recv(in.data(), 300000, MPI_INT, (rank + size - 1) % size, 0, made, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
  });
}

std::atomic<int> copies{0};
std::atomic<int> deletions{0};

int copy(MPI_Comm, int, void*, void* value, void* to, int* flag) {
  copies.fetch_add(1);
  *static_cast<void**>(to) = static_cast<char*>(value) + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

int remove(MPI_Comm, int, void*, void*) {
  deletions.fetch_add(1);
  return MPI_SUCCESS;
}

TEST(Communicators, CopyAttributesWhenDuplicatedAndOnlyThen) {
  copies = 0;
  deletions = 0;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy, remove, &key, nullptr);
  {
    Endpoints endpoints(3);
    each(endpoints, [&](MPI_Comm comm, int i) {
      std::array<char, 8> value{};
      MPI_Comm_set_attr(comm, key, value.data());
      MPI_Comm first = dup(comm);
      MPI_Comm second = dup(first);
      void* found = nullptr;
      int flag = 0;
      MPI_Comm_get_attr(second, key, static_cast<void*>(&found), &flag);
      EXPECT_EQ(flag, 1);
      EXPECT_EQ(found, &value[2]);
      MPI_Comm part = split(comm, i, 0);
      MPI_Comm_get_attr(part, key, static_cast<void*>(&found), &flag);
      EXPECT_EQ(flag, 0);
      MPI_Comm_free(&part);
      MPI_Comm_free(&first);
      MPI_Comm_free(&second);
      MPI_Comm_delete_attr(comm, key);
    });
  }
  EXPECT_EQ(copies, 6);
  EXPECT_EQ(deletions, 9);
  MPI_Comm_free_keyval(&key);
}

int refuse_to_copy(MPI_Comm, int, void*, void*, void*, int*) { return MPI_ERR_OTHER; }

TEST(Communicators, AreNotMadeWhereAnAttributeRefuses) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(refuse_to_copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  Endpoints endpoints(2);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank_in(comm) == 0) MPI_Comm_set_attr(comm, key, nullptr);
    MPI_Comm made = MPI_COMM_SELF;
    EXPECT_NE(MPI_Comm_dup(comm, &made), MPI_SUCCESS);  // on all
    EXPECT_EQ(made, MPI_COMM_NULL);
    if (rank_in(comm) == 0) MPI_Comm_delete_attr(comm, key);
    MPI_Comm again = dup(comm);
    MPI_Comm_free(&again);
  });
  MPI_Comm_free_keyval(&key);
}

TEST(Communicators, InheritErrorHandlersAndHintsButNoNames) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_name(comm, "parent");
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Comm with_info = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_dup_with_info(comm, info, &with_info), MPI_SUCCESS);
    MPI_Info_free(&info);
    for (MPI_Comm made : {dup(comm), with_info, split(comm, 0, 0)}) {
      MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
      MPI_Comm_get_errhandler(made, &handler);
      EXPECT_EQ(handler, MPI_ERRORS_RETURN);
      MPI_Errhandler_free(&handler);
      std::array<char, MPI_MAX_OBJECT_NAME> name{};
      int length = 0;
      MPI_Comm_get_name(made, name.data(), &length);
      EXPECT_STRNE(name.data(), "parent");
      int inter = 1;
      MPI_Comm_test_inter(made, &inter);
      EXPECT_EQ(inter, 0);
      int value = 0;
      EXPECT_EQ(class_of(MPI_Send(&value, 1, MPI_INT, size_of(made), 0, made)), MPI_ERR_RANK);
      MPI_Comm_free(&made);
    }
  });
}

TEST(Communicators, AreMadeOfMadeOnesAndFreedInAnyOrder) {
  Endpoints endpoints(4);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    MPI_Comm first = split(comm, rank % 2, -rank);
    MPI_Comm second = dup(first);
    if (rank % 2 == 0) MPI_Comm_free(&first);
    MPI_Comm third = split(second, rank_in(second) % 2, 0);
    pass_around(second);
    if (rank % 4 == 1) MPI_Comm_free(&second);
    MPI_Comm fourth = dup(third);
    pass_around(third);
    MPI_Comm_free(&third);
    pass_around(fourth);
    EXPECT_EQ(size_of(fourth), size_of(comm) / 4);
    for (MPI_Comm* left : {&second, &fourth, &first}) {
      if (*left != MPI_COMM_NULL) MPI_Comm_free(left);
    }
  });
}

TEST(Communicators, OutliveTheOneThatTheyAreMadeOf) {
  std::vector<MPI_Comm> made(3, MPI_COMM_NULL);
  {
    Endpoints endpoints(3);
    each(endpoints, [&](MPI_Comm comm, int i) { made[static_cast<std::size_t>(i)] = dup(comm); });
  }
  std::vector<std::thread> threads;
  for (MPI_Comm& comm : made) {
    threads.emplace_back([&comm] {
      pass_around(comm);
      MPI_Comm again = dup(comm);
      MPI_Comm_free(&comm);
      pass_around(again);
      MPI_Comm_free(&again);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Communicators, AreRefusedOnAllRanksWhereOneGivesBadArguments) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int rank = rank_in(comm);
    MPI_Comm made = MPI_COMM_SELF;
    EXPECT_EQ(class_of(MPI_Comm_split(comm, rank == 0 ? -5 : 1, 0, &made)), MPI_ERR_ARG);
    EXPECT_EQ(made, MPI_COMM_NULL);
    constexpr int no_type = 54321;
    const int type = rank == 0 ? MPI_COMM_TYPE_SHARED : no_type;
    EXPECT_EQ(class_of(MPI_Comm_split_type(comm, type, 0, MPI_INFO_NULL, &made)), MPI_ERR_ARG);
    EXPECT_NE(MPI_Comm_split_type(comm, no_type, 0, MPI_INFO_NULL, &made), MPI_SUCCESS);  // says the MPI
    EXPECT_EQ(made, MPI_COMM_NULL);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    EXPECT_EQ(class_of(MPI_Comm_create(comm, rank == 0 ? MPI_GROUP_NULL : all, &made)), MPI_ERR_GROUP);
    EXPECT_EQ(made, MPI_COMM_NULL);
    if (rank == 0) {  // nobody else is asked
      EXPECT_EQ(class_of(MPI_Comm_create_group(comm, MPI_GROUP_NULL, 0, &made)), MPI_ERR_GROUP);
      EXPECT_EQ(class_of(MPI_Comm_create_group(comm, all, -1, &made)), MPI_ERR_TAG);
    }
    MPI_Comm first = split(comm, rank == 0 ? 0 : MPI_UNDEFINED, 0);
    if (rank == 0) {
      EXPECT_EQ(class_of(MPI_Comm_create(first, all, &made)), MPI_ERR_GROUP);  // more than it has
      MPI_Comm_free(&first);
    }
    const int none = 0;
    MPI_Group other = MPI_GROUP_NULL;
    MPI_Group_excl(all, 1, &none, &other);  // without the first, who takes part all the same
    EXPECT_EQ(class_of(MPI_Comm_create(comm, rank == 0 ? all : other, &made)), rank == 0 ? MPI_ERR_GROUP : MPI_SUCCESS);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    int size = 0;
    MPI_Group remote = MPI_GROUP_NULL;
    EXPECT_EQ(class_of(MPI_Comm_remote_size(comm, &size)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Comm_remote_group(comm, &remote)), MPI_ERR_COMM);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Comm again = dup(comm);  // all are in step
    pass_around(again);
    MPI_Comm_free(&again);
  });
}

TEST(Communicators, WithoutEndpointsHaveNoGroupsOfThem) {
  Endpoints endpoints(1);
  MPI_Comm world = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(endpoints[0], &group);
  MPI_Comm made = MPI_COMM_SELF;
  EXPECT_EQ(class_of(MPI_Comm_create(world, group, &made)), MPI_ERR_GROUP);
  EXPECT_EQ(class_of(MPI_Comm_create_group(world, group, 0, &made)), MPI_ERR_GROUP);
  MPI_Group_free(&group);
  MPI_Comm_free(&world);
}

TEST(Communicators, AreDuplicatedWhileOtherThingsGoOn) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    // The last rank begins only after it has heard from all others, who have begun.
    const int last = size_of(comm) - 1;
    std::array<MPI_Comm, 3> made{MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
    std::array<MPI_Request, 4> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (rank == last) {
      for (int i = 0; i < last; ++i) MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 8, comm, MPI_STATUS_IGNORE);
    }
    for (std::size_t i = 0; i < made.size(); ++i) EXPECT_EQ(MPI_Comm_idup(comm, &made[i], &requests[i]), MPI_SUCCESS);
    if (rank != last) MPI_Send(nullptr, 0, MPI_INT, last, 8, comm);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % (last + 1), 9, comm, &requests[3]);
    int got = -1;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    EXPECT_EQ(got, (rank + last) % (last + 1));
    pass_around(comm);
    EXPECT_EQ(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    for (MPI_Comm& one : made) {
      EXPECT_EQ(compare(one, comm), MPI_CONGRUENT);
      pass_around(one);
      MPI_Comm_free(&one);
    }
    EXPECT_EQ(MPI_Comm_idup(comm, made.data(), requests.data()), MPI_SUCCESS);
    for (int flag = 0; flag == 0;) MPI_Test(requests.data(), &flag, MPI_STATUS_IGNORE);
    pass_around(made[0]);
    MPI_Comm_free(made.data());
  });
}

TEST(Communicators, OfOneProcessMayBeMadeManyAtATime) {
  Endpoints endpoints(4, MPI_COMM_SELF);
  each(endpoints, [](MPI_Comm comm, int) {
    for (int round = 0; round < 10; ++round) {
      std::array<MPI_Comm, 8> made{};
      std::array<MPI_Request, 8> requests{};
      for (std::size_t i = 0; i < made.size(); ++i) MPI_Comm_idup(comm, &made[i], &requests[i]);
      ASSERT_EQ(MPI_Waitall(8, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
      for (MPI_Comm& one : made) {
        pass_around(one);
        MPI_Comm_free(&one);
      }
    }
  });
}

void come_and_go(int rounds) {
  Endpoints endpoints(1 + rank_in(MPI_COMM_WORLD) % 2);
  each(endpoints, [&](MPI_Comm comm, int) {
    for (int round = 0; round < rounds; ++round) {
      MPI_Comm made = dup(comm);
      ASSERT_NE(made, MPI_COMM_NULL);
      MPI_Comm_free(&made);
    }
  });
}

TEST(Communicators, ComeAndGo) { come_and_go(size_of(MPI_COMM_WORLD) == 1 ? 3200 : 50); }

// More than an MPI has at a time. Run by ctest by itself, since it takes long where processes outnumber CPUs.
TEST(Communicators, DISABLED_ComeAndGoForLong) { come_and_go(3200); }

TEST(Communicators, AreMadeByManyThreadsOfDifferentOnes) {
  Endpoints endpoints(4);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm part = split(comm, rank_in(comm) % 2, 0);  // two that have endpoints in all processes
    for (int round = 0; round < 10; ++round) {
      MPI_Comm made = dup(part);
      pass_around(made);
      MPI_Comm_free(&made);
    }
    meet(comm);
    MPI_Comm_free(&part);
  });
}

TEST(Communicators, MayBeLeftToMpiFinalize) {
  static std::vector<MPI_Comm> left(2, MPI_COMM_NULL);
  ASSERT_EQ(MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, left.data()), MPI_SUCCESS);
  std::vector<std::thread> threads;
  for (const MPI_Comm comm : left) {
    threads.emplace_back([comm] {
      const MPI_Comm made = dup(comm);
      const MPI_Comm part = split(made, 0, -rank_in(made));
      pass_around(part);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
