// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators of endpoints that different calls of MPIX_Comm_create_endpoints have made: their leaders meet on a
// communicator of processes, or on one of other endpoints (MPI-4.1 section 7.6.2).
#include <gtest/gtest.h>
#include <mpi.h>

#include <climits>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include "mpi/intercommunicators.hpp"
#include "mpi/own_endpoints.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::exchange;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::split;

/// The processes in two groups, of which process 0 alone is one; the endpoints of one group, as many as `count` says.
class Halves {
 public:
  explicit Halves(int count)
      : own_(split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) == 0 ? 0 : 1, 0)), endpoints(count, own_) {}
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;
  ~Halves() { MPI_Comm_free(&own_); }

  [[nodiscard]] static bool is_first() { return rank_in(MPI_COMM_WORLD) == 0; }
  /// The last rank of each group leads it: a process of the world.
  [[nodiscard]] static int remote_leader() { return is_first() ? size_of(MPI_COMM_WORLD) - 1 : 0; }

 private:
  MPI_Comm own_;

 public:
  Endpoints endpoints;
};

std::vector<int> numbers(int count, int from) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), from);
  return all;
}

/// Messages, a collective, and one communicator of both groups. @param remote  ranks of the other group
void use(MPI_Comm inter, bool first, int remote) {
  const int me = rank_in(inter) + (first ? 0 : 100);
  exchange(inter, me, numbers(remote, first ? 100 : 0));
  int sum = -1;
  EXPECT_EQ(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, inter), MPI_SUCCESS);
  const std::vector<int> theirs = numbers(remote, first ? 100 : 0);
  EXPECT_EQ(sum, std::accumulate(theirs.begin(), theirs.end(), 0));
  MPI_Comm both = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Intercomm_merge(inter, first ? 1 : 0, &both), MPI_SUCCESS);
  EXPECT_EQ(size_of(both), size_of(inter) + remote);
  EXPECT_EQ(rank_in(both), rank_in(inter) + (first ? remote : 0));
  int all = 0;
  const int one = 1;
  EXPECT_EQ(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, both), MPI_SUCCESS);
  EXPECT_EQ(all, size_of(both));
  MPI_Comm_free(&both);
}

TEST(IntercommunicatorsOrigins, LeadersMeetOnACommunicatorOfProcesses) {
  if (size_of(MPI_COMM_WORLD) == 1) GTEST_SKIP() << "needs two processes";
  // Process 0 has two endpoints, the others have one more each.
  Halves halves(Halves::is_first() ? 2 : 3);
  const int remote = Halves::is_first() ? 3 * (size_of(MPI_COMM_WORLD) - 1) : 2;
  for (const int tag : {0, 4711}) {
    each(halves.endpoints, [&](MPI_Comm comm, int) {
      MPI_Comm inter = MPI_COMM_NULL;
      ASSERT_EQ(MPI_Intercomm_create(comm, size_of(comm) - 1, MPI_COMM_WORLD, Halves::remote_leader(), tag, &inter),
                MPI_SUCCESS);
      use(inter, Halves::is_first(), remote);
      EXPECT_EQ(MPI_Comm_free(&inter), MPI_SUCCESS);
    });
  }
}

TEST(IntercommunicatorsOrigins, AProcessMakesOneEndpointOfItself) {
  if (size_of(MPI_COMM_WORLD) == 1) GTEST_SKIP() << "needs two processes";
  Halves halves(Halves::is_first() ? 1 : 2);
  const int remote = Halves::is_first() ? 2 * (size_of(MPI_COMM_WORLD) - 1) : 1;
  each(halves.endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm inter = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Intercomm_create(comm, size_of(comm) - 1, MPI_COMM_WORLD, Halves::remote_leader(), 1, &inter),
              MPI_SUCCESS);
    use(inter, Halves::is_first(), remote);
    EXPECT_EQ(MPI_Comm_disconnect(&inter), MPI_SUCCESS);
  });
}

TEST(IntercommunicatorsOrigins, LeadersMeetOnOtherEndpoints) {
  if (size_of(MPI_COMM_WORLD) == 1) GTEST_SKIP() << "needs two processes";
  Endpoints peers(1);
  Halves halves(2);
  const int remote = 2 * (Halves::is_first() ? size_of(MPI_COMM_WORLD) - 1 : 1);
  for (const int tag : {1, 2, 16}) {  // the processes of the peer have messages of the first one
    each(halves.endpoints, [&](MPI_Comm comm, int) {
      MPI_Comm inter = MPI_COMM_NULL;
      const bool leads = rank_in(comm) == size_of(comm) - 1;
      ASSERT_EQ(MPI_Intercomm_create(comm, size_of(comm) - 1, leads ? peers[0] : MPI_COMM_NULL, Halves::remote_leader(),
                                     tag, &inter),
                MPI_SUCCESS);
      use(inter, Halves::is_first(), remote);
      EXPECT_EQ(MPI_Comm_free(&inter), MPI_SUCCESS);
    });
  }
}

TEST(IntercommunicatorsOrigins, WhatIsWrongWithThePeerIsWrongForTheGroup) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm made = comm;
    const auto create = [&](int other, int tag) {
      const int code = MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, other, tag, &made);
      EXPECT_EQ(made, MPI_COMM_NULL);
      return class_of(code);
    };
    EXPECT_EQ(create(size_of(MPI_COMM_WORLD), 0), MPI_ERR_RANK);
    EXPECT_EQ(create(-7, 0), MPI_ERR_RANK);
    // The leader is of process 0.
    if (size_of(MPI_COMM_WORLD) > 1) {
      EXPECT_EQ(create(1, -7), MPI_ERR_TAG);
    }
    EXPECT_EQ(create(0, 0), MPI_ERR_UNSUPPORTED_OPERATION);
  });
}

TEST(IntercommunicatorsOrigins, EndpointsOfOneProcessHaveToHaveAnOriginInCommon) {
  if (size_of(MPI_COMM_WORLD) != 1) GTEST_SKIP() << "needs one process";
  Endpoints peers(2, MPI_COMM_SELF);
  Endpoints others(3, MPI_COMM_SELF);  // the peer's communicator has no third one
  std::vector<MPI_Comm> single(3, MPI_COMM_NULL);
  each(others, [&](MPI_Comm comm, int index) { single[static_cast<std::size_t>(index)] = split(comm, index, 0); });
  each(peers, [&](MPI_Comm peer, int index) {
    MPI_Comm alone = single[index == 0 ? 0 : 2];
    MPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
    MPI_Comm made = peer;
    EXPECT_EQ(class_of(MPI_Intercomm_create(alone, 0, peer, 1 - index, 3, &made)), MPI_ERR_UNSUPPORTED_OPERATION);
    EXPECT_EQ(made, MPI_COMM_NULL);
  });
  for (MPI_Comm& one : single) MPI_Comm_free(&one);
}

/// Two threads of each process connect the same processes at the same time, each with endpoints of its own: neither
/// call may wait for the other one.
TEST(IntercommunicatorsOrigins, CallsOfTwoThreadsDoNotWaitForEachOther) {
  if (size_of(MPI_COMM_WORLD) != 4) GTEST_SKIP() << "needs four processes";
  const int pair = rank_in(MPI_COMM_WORLD) / 2;
  MPI_Comm own = split(MPI_COMM_WORLD, pair, 0);
  for (int round = 0; round < 20; ++round) {
    Endpoints first(1, own);
    Endpoints second(1, own);
    const auto connect = [&](MPI_Comm comm, int tag) {
      MPI_Comm inter = MPI_COMM_NULL;
      ASSERT_EQ(MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, 2 * (1 - pair), tag, &inter), MPI_SUCCESS);
      use(inter, pair == 0, 2);
      MPI_Comm_free(&inter);
    };
    // The second pair begins with the other call.
    std::thread other([&] { connect(second[0], pair == 0 ? 1 : 2); });
    connect(first[0], pair == 0 ? 2 : 1);
    other.join();
  }
  MPI_Comm_free(&own);
}

int greatest_tag() {
  void* greatest = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&greatest), &found);
  return found != 0 ? *static_cast<int*>(greatest) : 32767;
}

TEST(IntercommunicatorsOrigins, AnyTagTellsCallsApart) {
  const int greatest = greatest_tag();
  Endpoints endpoints(2);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm alone = split(comm, rank_in(comm), 0);
    const int pair = rank_in(comm) / 2 * 2;
    const bool first = rank_in(comm) == pair;
    for (const int tag : {INT_MAX, INT_MAX - 1, 0}) {
      if (tag > greatest) continue;
      MPI_Comm inter = MPI_COMM_NULL;
      ASSERT_EQ(MPI_Intercomm_create(alone, 0, comm, first ? pair + 1 : pair, tag, &inter), MPI_SUCCESS);
      use(inter, first, 1);
      MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&alone);
  });
}

}  // namespace
