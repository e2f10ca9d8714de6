// SPDX-License-Identifier: BSD-3-Clause
// What MPIX_Comm_create_endpoints makes, as a program sees it. All ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::testing::class_of;
using raddle::testing::Endpoints;
using raddle::testing::rank_in;
using raddle::testing::size_of;

/// Every endpoint of this process gets the rank of its left neighbour, by a thread of its own.
void pass_around(Endpoints& endpoints) {
  std::vector<std::thread> threads;
  for (int i = 0; i < endpoints.count(); ++i) {
    threads.emplace_back([comm = endpoints[i]] {
      const int rank = rank_in(comm);
      const int size = size_of(comm);
      int got = -1;
      MPI_Status status;
      MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 4, &got, 1, MPI_INT, MPI_ANY_SOURCE, 4, comm, &status);
      EXPECT_EQ(got, (rank + size - 1) % size);
      EXPECT_EQ(status.MPI_SOURCE, got);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Endpoints, AreRankedByProcessAndIndexWhateverTheirNumbers) {
  const int process = rank_in(MPI_COMM_WORLD);
  const int processes = size_of(MPI_COMM_WORLD);
  std::vector<int> counts(static_cast<std::size_t>(processes));
  for (int p = 0; p < processes; ++p) counts[static_cast<std::size_t>(p)] = p % 3 == 1 ? 0 : 1 + p;
  Endpoints endpoints(counts[static_cast<std::size_t>(process)]);
  ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
  const int first = std::accumulate(counts.begin(), counts.begin() + process, 0);
  for (int i = 0; i < endpoints.count(); ++i) {
    EXPECT_EQ(rank_in(endpoints[i]), first + i);
    EXPECT_EQ(size_of(endpoints[i]), std::accumulate(counts.begin(), counts.end(), 0));
  }
  pass_around(endpoints);
}

TEST(Endpoints, OfSeveralCreationsDoNotMeet) {
  Endpoints one(2);
  Endpoints other(2);
  for (int i = 0; i < 2; ++i) {
    const int rank = rank_in(one[i]);
    const std::array<int, 2> sent{1, 2};
    MPI_Send(&sent[1], 1, MPI_INT, rank, 0, other[i]);
    MPI_Send(&sent[0], 1, MPI_INT, rank, 0, one[i]);
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, one[i], MPI_STATUS_IGNORE);
    EXPECT_EQ(got, 1);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other[i], MPI_STATUS_IGNORE);
    EXPECT_EQ(got, 2);
  }
}

/// MPI-4.1 section 3.5: once a receive is posted its send completes, whatever else the receiver waits for.
TEST(Endpoints, GoOnWhileTheirThreadIsBlockedOnAnotherCommunicator) {
  constexpr int elements = 1 << 20;
  Endpoints one(2);
  Endpoints other(2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      const int rank = rank_in(one[i]);
      std::vector<int> message(elements, rank);
      int word = rank;
      if (rank == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(message.data(), elements, MPI_INT, size_of(one[i]) - 1, 0, one[i], &request);
        MPI_Recv(&word, 1, MPI_INT, size_of(one[i]) - 1, 0, other[i], MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(message.back(), word);
      } else if (rank == size_of(one[i]) - 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the receiver is blocked
        MPI_Send(message.data(), elements, MPI_INT, 0, 0, one[i]);
        MPI_Send(&word, 1, MPI_INT, 0, 0, other[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Endpoints, OfASubCommunicatorHaveRanksInIt) {
  const int process = rank_in(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, process % 2, -process, &half);
  {
    Endpoints endpoints(2, half);
    ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
    EXPECT_EQ(size_of(endpoints[0]), 2 * size_of(half));
    EXPECT_EQ(rank_in(endpoints[1]), 2 * rank_in(half) + 1);
    pass_around(endpoints);
  }
  MPI_Comm_free(&half);
}

TEST(Endpoints, CompareByTheProcessesBehindThem) {
  const auto compare = [](MPI_Comm one, MPI_Comm other) {
    int result = -1;
    MPI_Comm_compare(one, other, &result);
    return result;
  };
  Endpoints single(1);
  Endpoints same(1);
  Endpoints two(2);
  EXPECT_EQ(compare(single[0], MPI_COMM_WORLD), MPI_CONGRUENT);
  EXPECT_EQ(compare(MPI_COMM_WORLD, single[0]), MPI_CONGRUENT);
  EXPECT_EQ(compare(single[0], same[0]), MPI_CONGRUENT);
  EXPECT_EQ(compare(two[0], two[1]), MPI_IDENT);
  EXPECT_EQ(compare(two[0], MPI_COMM_WORLD), MPI_UNEQUAL);
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_in(MPI_COMM_WORLD), &turned);
  EXPECT_EQ(compare(single[0], turned), size_of(turned) == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
  MPI_Comm_free(&turned);
}

TEST(Endpoints, KeepNamesAttributesAndErrorHandlersApart) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  std::array<int, 2> values{7, 8};
  MPI_Comm_set_attr(parent, key, &values[0]);
  {
    Endpoints endpoints(2, parent);
    MPI_Comm_get_errhandler(endpoints[0], &handler);
    EXPECT_EQ(handler, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    void* value = nullptr;
    int found = 1;
    MPI_Comm_get_attr(endpoints[0], key, static_cast<void*>(&value), &found);
    EXPECT_EQ(found, 0);  // attributes of the parent stay with it
    MPI_Comm_set_attr(endpoints[1], key, &values[1]);
    MPI_Comm_get_attr(endpoints[0], key, static_cast<void*>(&value), &found);
    EXPECT_EQ(found, 0);
    MPI_Comm_get_attr(endpoints[1], key, static_cast<void*>(&value), &found);
    EXPECT_EQ(value, &values[1]);
    MPI_Comm_set_name(endpoints[0], "left");
    MPI_Comm_set_name(endpoints[1], "right");
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    MPI_Comm_get_name(endpoints[0], name.data(), &length);
    EXPECT_STREQ(name.data(), "left");
  }
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&parent);
}

TEST(Endpoints, AreRefusedByNameWhereTheyCannotBe) {
  Endpoints endpoints(1);
  MPI_Comm_set_errhandler(endpoints[0], MPI_ERRORS_RETURN);
  MPI_Comm made = MPI_COMM_NULL;
  const int nested = MPIX_Comm_create_endpoints(endpoints[0], 1, MPI_INFO_NULL, &made);
  EXPECT_EQ(class_of(nested), MPI_ERR_UNSUPPORTED_OPERATION);
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(nested, text.data(), &length);
  EXPECT_NE(std::string(text.data()).find("MPIX_Comm_create_endpoints"), std::string::npos);

  MPI_Comm world = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  const int last = size_of(world) - 1;
  const int code = MPIX_Comm_create_endpoints(world, rank_in(world) == last ? -1 : 1, MPI_INFO_NULL, &made);
  EXPECT_EQ(class_of(code), MPI_ERR_ARG);  // on all, since one process has failed
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "raddle_colour", "red");
  EXPECT_EQ(class_of(MPIX_Comm_create_endpoints(world, 1, info, &made)), MPI_ERR_INFO_KEY);
  MPI_Info_free(&info);
  MPI_Comm_free(&world);
}

TEST(Endpoints, RaiseBadArgumentsOnTheEndpoint) {
  Endpoints endpoints(1);
  MPI_Comm_set_errhandler(endpoints[0], MPI_ERRORS_RETURN);
  int value = 0;
  EXPECT_EQ(class_of(MPI_Send(&value, 1, MPI_INT, size_of(endpoints[0]), 0, endpoints[0])), MPI_ERR_RANK);
  EXPECT_EQ(class_of(MPI_Send(&value, 1, MPI_INT, 0, -5, endpoints[0])), MPI_ERR_TAG);
  EXPECT_EQ(class_of(MPI_Send(&value, -1, MPI_INT, 0, 0, endpoints[0])), MPI_ERR_COUNT);
  EXPECT_EQ(class_of(MPI_Recv(&value, 1, MPI_DATATYPE_NULL, 0, 0, endpoints[0], MPI_STATUS_IGNORE)), MPI_ERR_TYPE);
}

/// MPI-4.1 section 3.7.3: what is under way completes, though nobody can ask any more.
TEST(Endpoints, DeliverWhatAFreedReceiveGets) {
  std::array<std::atomic<int>, 2> values{};
  {
    Endpoints endpoints(2);
    each(endpoints, [&](MPI_Comm comm, int i) {
      const int rank = rank_in(comm);
      const int size = size_of(comm);
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(&values[static_cast<std::size_t>(i)], 1, MPI_INT, (rank + size - 1) % size, 7, comm, &request);
      EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
      const int sent = 100 + rank;
      MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 7, comm);
    });
  }
  Endpoints others(1);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (const std::atomic<int>& value : values) {
    while (value == 0 && std::chrono::steady_clock::now() < give_up) {
      int flag = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, others[0], &flag, MPI_STATUS_IGNORE);
    }
  }
  const int all = 2 * size_of(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) {
    const int rank = 2 * rank_in(MPI_COMM_WORLD) + i;
    EXPECT_EQ(values[static_cast<std::size_t>(i)], 100 + (rank + all - 1) % all);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // the others go on until each has its own
}

TEST(Endpoints, AreFreedByTheirThreadsAtTheSameTime) {
  for (int round = 0; round < 20; ++round) {
    std::vector<MPI_Comm> comms(4);
    ASSERT_EQ(MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 4, MPI_INFO_NULL, comms.data()), MPI_SUCCESS);
    std::vector<std::thread> threads;
    for (MPI_Comm& comm : comms) {
      threads.emplace_back([&comm] {
        MPI_Comm_free(&comm);
        EXPECT_EQ(comm, MPI_COMM_NULL);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
