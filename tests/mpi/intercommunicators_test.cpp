// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators of endpoints as a program sees them (MPI-4.1 section 7.6): groups, messages, what is made of them.
// All ranks run all tests.
#include "mpi/intercommunicators.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using raddle::testing::Between;
using raddle::testing::class_of;
using raddle::testing::compare;
using raddle::testing::Cut;
using raddle::testing::cuts;
using raddle::testing::dup;
using raddle::testing::Endpoints;
using raddle::testing::exchange;
using raddle::testing::pass_around;
using raddle::testing::rank_in;
using raddle::testing::ranks_of;
using raddle::testing::remote_ranks_of;
using raddle::testing::size_of;
using raddle::testing::split;
using raddle::testing::with_endpoints;

constexpr int each_process = 3;

TEST(Intercommunicators, TellTheirGroups) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    for (const Cut& cut : cuts()) {
      const Between between(comm, cut);
      int inter = -1;
      EXPECT_EQ(MPI_Comm_test_inter(between.comm, &inter), MPI_SUCCESS);
      EXPECT_EQ(inter, 1);
      EXPECT_EQ(size_of(between.comm), static_cast<int>(between.local.size()));
      EXPECT_EQ(between.local[static_cast<std::size_t>(between.rank)], between.me);
      EXPECT_EQ(remote_ranks_of(between.comm, comm), between.remote);
      MPI_Group local = MPI_GROUP_NULL;
      MPI_Group remote = MPI_GROUP_NULL;
      int own = -1;
      MPI_Comm_group(between.comm, &local);
      MPI_Comm_remote_group(between.comm, &remote);
      EXPECT_EQ(ranks_of(local, comm), between.local);
      MPI_Group_rank(local, &own);
      EXPECT_EQ(own, between.rank);
      MPI_Group_rank(remote, &own);
      EXPECT_EQ(own, MPI_UNDEFINED);
      MPI_Group_free(&local);
      MPI_Group_free(&remote);
      exchange(between.comm, between.me, between.remote);
    }
    int inter = -1;
    MPI_Comm_test_inter(comm, &inter);
    EXPECT_EQ(inter, 0);
  });
}

TEST(Intercommunicators, MessagesGoToTheOtherGroup) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    constexpr int long_one = 200'000;
    for (const Cut& cut : cuts()) {
      const Between between(comm, cut);
      std::vector<int> out(long_one, between.me);
      std::vector<MPI_Request> requests(between.remote.size());
      for (int to = 0; to < between.remote_size(); ++to)
        MPI_Issend(out.data(), to % 2 == 0 ? long_one : 1, MPI_INT, to, between.rank, between.comm,
                   &requests[static_cast<std::size_t>(to)]);
      std::vector<bool> from(between.remote.size());
      for (int i = 0; i < between.remote_size(); ++i) {
        MPI_Status status;
        MPI_Message message = MPI_MESSAGE_NULL;
        int count = -1;
        EXPECT_EQ(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, between.comm, &message, &status), MPI_SUCCESS);
        MPI_Get_count(&status, MPI_INT, &count);
        EXPECT_EQ(count, between.rank % 2 == 0 ? long_one : 1);
        EXPECT_EQ(status.MPI_TAG, status.MPI_SOURCE);
        std::vector<int> in(static_cast<std::size_t>(count), -1);
        EXPECT_EQ(MPI_Mrecv(in.data(), count, MPI_INT, &message, &status), MPI_SUCCESS);
        const auto source = static_cast<std::size_t>(status.MPI_SOURCE);
        ASSERT_LT(source, between.remote.size());
        EXPECT_EQ(in.back(), between.remote[source]);
        EXPECT_FALSE(from[source]);
        from[source] = true;
      }
      MPI_Waitall(between.remote_size(), requests.data(), MPI_STATUSES_IGNORE);
      // From nobody, and what is cancelled.
      MPI_Status status;
      EXPECT_EQ(MPI_Recv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, between.comm, &status), MPI_SUCCESS);
      EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
      int never = 0;
      int cancelled = 0;
      MPI_Irecv(&never, 1, MPI_INT, MPI_ANY_SOURCE, 99, between.comm, &requests.front());
      MPI_Cancel(&requests.front());
      MPI_Wait(&requests.front(), &status);
      MPI_Test_cancelled(&status, &cancelled);
      EXPECT_NE(cancelled, 0);
    }
  });
}

/// The order of all ranks in what is merged.
std::vector<int> order_of(MPI_Comm merged, int me) {
  std::vector<int> order(static_cast<std::size_t>(size_of(merged)), -1);
  EXPECT_EQ(MPI_Allgather(&me, 1, MPI_INT, order.data(), 1, MPI_INT, merged), MPI_SUCCESS);
  return order;
}

TEST(Intercommunicators, AreMerged) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    for (const Cut& cut : cuts()) {
      const Between between(comm, cut);
      for (const bool first_is_high : {false, true}) {
        MPI_Comm merged = MPI_COMM_NULL;
        const bool high = between.in_first == first_is_high;
        ASSERT_EQ(MPI_Intercomm_merge(between.comm, high ? 1 : 0, &merged), MPI_SUCCESS);
        std::vector<int> expected = high ? between.remote : between.local;
        const std::vector<int>& behind = high ? between.local : between.remote;
        expected.insert(expected.end(), behind.begin(), behind.end());
        EXPECT_EQ(order_of(merged, between.me), expected);
        pass_around(merged);
        MPI_Comm_free(&merged);
      }
      MPI_Comm merged = MPI_COMM_NULL;  // neither comes first, but all agree
      ASSERT_EQ(MPI_Intercomm_merge(between.comm, 1, &merged), MPI_SUCCESS);
      std::vector<int> order = order_of(merged, between.me);
      MPI_Comm_free(&merged);
      std::ranges::sort(order);
      std::vector<int> all(order.size());
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(order, all);
    }
  });
}

TEST(Intercommunicators, AreDuplicated) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    const Between between(comm, cuts().front());
    MPI_Comm copy = dup(between.comm);
    EXPECT_EQ(compare(between.comm, copy), MPI_CONGRUENT);
    EXPECT_EQ(compare(between.comm, between.comm), MPI_IDENT);
    EXPECT_EQ(compare(between.comm, comm), MPI_UNEQUAL);
    exchange(copy, between.me, between.remote);
    MPI_Comm later = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(MPI_Comm_idup(copy, &later, &request), MPI_SUCCESS);
    exchange(copy, between.me, between.remote);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    exchange(later, between.me, between.remote);
    EXPECT_EQ(MPI_Barrier(later), MPI_SUCCESS);
    MPI_Comm_free(&later);
  });
}

TEST(Intercommunicators, AreSplit) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    for (const Cut& cut : cuts()) {
      const Between between(comm, cut);
      MPI_Comm turned = split(between.comm, 0, -between.rank);
      std::vector<int> reversed(between.remote.rbegin(), between.remote.rend());
      exchange(turned, between.me, reversed);
      EXPECT_EQ(compare(turned, between.comm),
                between.local.size() == 1 && between.remote.size() == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
      MPI_Comm_free(&turned);
      // By parity of ranks: of some colours one group has nobody.
      MPI_Comm part = split(between.comm, between.rank % 2, 0);
      std::vector<int> alike;
      for (std::size_t i = static_cast<std::size_t>(between.rank % 2); i < between.remote.size(); i += 2)
        alike.push_back(between.remote[i]);
      EXPECT_EQ(part == MPI_COMM_NULL, alike.empty());
      if (part != MPI_COMM_NULL) {
        exchange(part, between.me, alike);
        EXPECT_EQ(MPI_Barrier(part), MPI_SUCCESS);
        MPI_Comm_free(&part);
      }
      EXPECT_EQ(split(between.comm, MPI_UNDEFINED, 0), MPI_COMM_NULL);
    }
  });
}

TEST(Intercommunicators, AreMadeOfParts) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    const Between between(comm, cuts().front());
    MPI_Group local = MPI_GROUP_NULL;
    MPI_Group last = MPI_GROUP_NULL;
    MPI_Comm_group(between.comm, &local);
    const int number = static_cast<int>(between.local.size()) - 1;
    MPI_Group_incl(local, 1, &number, &last);
    MPI_Comm made = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_create(between.comm, between.in_first ? local : last, &made), MPI_SUCCESS);
    EXPECT_EQ(made != MPI_COMM_NULL, between.in_first || between.rank == number);
    if (made != MPI_COMM_NULL) {
      exchange(made, between.me, between.in_first ? std::vector{between.remote.back()} : between.remote);
      MPI_Comm_free(&made);
    }
    EXPECT_EQ(MPI_Comm_create(between.comm, between.in_first ? MPI_GROUP_EMPTY : local, &made), MPI_SUCCESS);
    EXPECT_EQ(made, MPI_COMM_NULL);
    MPI_Comm_set_errhandler(between.comm, MPI_ERRORS_RETURN);
    MPI_Group remote = MPI_GROUP_NULL;
    MPI_Comm_remote_group(between.comm, &remote);
    EXPECT_EQ(class_of(MPI_Comm_create(between.comm, remote, &made)), MPI_ERR_GROUP);
    MPI_Group_free(&remote);
    MPI_Group_free(&last);
    MPI_Group_free(&local);
  });
}

TEST(Intercommunicators, AreMadeBySeveralThreadsOfARank) {
  with_endpoints(2, [](MPI_Comm comm) {
    MPI_Comm own = split(comm, rank_in(comm) % 2, 0);
    MPI_Comm other = dup(own);
    const auto make = [&](MPI_Comm local, int tag) {
      MPI_Comm made = MPI_COMM_NULL;
      EXPECT_EQ(MPI_Intercomm_create(local, 0, comm, 1 - rank_in(comm) % 2, tag, &made), MPI_SUCCESS);
      EXPECT_EQ(MPI_Barrier(made), MPI_SUCCESS);
      MPI_Comm_free(&made);
    };
    std::thread second([&] { make(other, 2); });
    make(own, 1);
    second.join();
    MPI_Comm_free(&own);
    MPI_Comm_free(&other);
  });
}

/// What others descend from may go before them.
TEST(Intercommunicators, OutliveWhatTheyAreMadeOf) {
  Endpoints endpoints(2);
  ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
  each(endpoints, [&](MPI_Comm comm, int index) {
    const int me = rank_in(comm);
    MPI_Comm own = split(comm, me % 2, 0);
    MPI_Comm peer = dup(comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&endpoints[index]);
    MPI_Comm made = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Intercomm_create(own, 0, peer, 1 - me % 2, 0, &made), MPI_SUCCESS);
    MPI_Comm_free(&peer);
    MPI_Comm_free(&own);
    std::vector<int> remote;
    for (int i = 1 - me % 2; i < size_of(MPI_COMM_WORLD) * 2; i += 2) remote.push_back(i);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(made, &request);
    exchange(made, me, remote);
    MPI_Comm_free(&made);  // while its barrier is under way
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

TEST(Intercommunicators, KeepAttributesNamesAndErrorHandlers) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    MPI_Comm own = split(comm, rank_in(comm) % 2, 0);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Comm made = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Intercomm_create(own, 0, comm, 1 - rank_in(comm) % 2, 0, &made), MPI_SUCCESS);
    MPI_Comm_free(&own);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(made, &handler);
    EXPECT_EQ(handler, MPI_ERRORS_RETURN);
    int key = MPI_KEYVAL_INVALID;
    int value = 5;
    int found = 0;
    int* kept = nullptr;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(made, key, &value);
    MPI_Comm copy = dup(made);
    MPI_Comm_get_attr(copy, key, static_cast<void*>(&kept), &found);
    EXPECT_NE(found, 0);
    EXPECT_EQ(kept, &value);
    MPI_Comm_set_name(made, "between");
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    MPI_Comm_get_name(made, name.data(), &length);
    EXPECT_STREQ(name.data(), "between");
    MPI_Comm_free(&copy);
    MPI_Comm_free(&made);
    MPI_Comm_free_keyval(&key);
  });
}

}  // namespace
