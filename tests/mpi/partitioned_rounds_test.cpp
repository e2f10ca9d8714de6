// SPDX-License-Identifier: BSD-3-Clause
// Requests from their making to their end: who belongs to whom, and when a round is over.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <chrono>

#include "mpi/partitioned_ranks.hpp"

namespace raddle::testing {
namespace {

class PartitionedRounds : public Partitioned {};

/// In one of all ways to ask without waiting.
bool is_over(MPI_Request& request, int way) {
  std::array<MPI_Request, 2> all{MPI_REQUEST_NULL, request};
  std::array<int, 2> indices{};
  int flag = -1;
  int number = -1;
  switch (way % 5) {
    case 0:
      EXPECT_EQ(MPI_Test(&all[1], &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      break;
    case 1:
      EXPECT_EQ(MPI_Testall(2, all.data(), &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
      break;
    case 2:
      EXPECT_EQ(MPI_Testany(2, all.data(), &number, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      break;
    case 3:
      EXPECT_EQ(MPI_Testsome(2, all.data(), &number, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
      flag = number == 0 ? 0 : 1;
      break;
    default:
      EXPECT_EQ(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }
  EXPECT_EQ(all[1], request);
  return flag != 0;
}

TEST_P(PartitionedRounds, AreNotOverBeforeTheLastPartitionIsReady) {
  on_each_rank([](const Place& place) {
    constexpr int partitions = 5;
    for (const int count : {1, 0, 20'000}) {
      SCOPED_TRACE(count);
      std::vector<int> out(static_cast<std::size_t>(partitions * count));
      std::vector<int> in(out.size());
      Part send = send_part(place, out.data(), partitions, count, MPI_INT);
      Part receive = receive_part(place, in.data(), partitions, count, MPI_INT);
      traffic::Random random(static_cast<std::uint64_t>(place.rank));
      for (int round = 0; round < 25; ++round) {
        const bool receives_late = round % 3 == 0;
        if (!receives_late) receive.start();
        fill(out, place.rank, round);
        send.start();
        EXPECT_FALSE(is_over(send.request, round));
        int step = 0;
        for (const int partition : in_any_order(partitions, random)) {
          for (int i = 0; i < 5; ++i) EXPECT_FALSE(is_over(send.request, i));
          EXPECT_FALSE(is_over(send.request, round + ++step));
          send.ready(partition);
        }
        if (receives_late) receive.start();
        receive.wait();
        send.wait();
        EXPECT_EQ(in, words(place.left, round, in.size()));
      }
    }
  });
}

TEST_P(PartitionedRounds, OfOneTagMatchInTheOrderOfMakingAndStartInAny) {
  on_each_rank([](const Place& place) {
    constexpr std::size_t requests = 5;
    constexpr std::size_t most = 2 * 3 * 5 * 7 * 8;
    std::array<std::vector<int>, requests> out;
    std::array<std::vector<int>, requests> in;
    std::array<Part, requests> sends;
    std::array<Part, requests> receives;
    for (std::size_t i = 0; i < requests; ++i) {
      const std::size_t count = most * (i + 1);
      out[i].resize(count);
      in[i].resize(count);
      const int partitions = 2 + static_cast<int>(i);
      const int other = 8 - static_cast<int>(i);
      sends[i] = send_part(place, out[i].data(), partitions, static_cast<MPI_Count>(count) / partitions, MPI_INT);
      receives[i] = receive_part(place, in[i].data(), other, static_cast<MPI_Count>(count) / other, MPI_INT);
    }
    traffic::Random random(static_cast<std::uint64_t>(place.rank));
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < requests; ++i) {
        fill(out[i], place.rank, 10 * round + static_cast<int>(i));
      }
      for (const int i : in_any_order(2 * requests, random)) {
        const auto which = static_cast<std::size_t>(i) % requests;
        (i < static_cast<int>(requests) ? sends[which] : receives[which]).start();
      }
      for (const int i : in_any_order(requests, random)) {
        const Part& send = sends[static_cast<std::size_t>(i)];
        EXPECT_EQ(pready_range(0, 1 + i, send.request), MPI_SUCCESS);
      }
      for (const int i : in_any_order(requests, random)) receives[static_cast<std::size_t>(i)].wait();
      for (const int i : in_any_order(requests, random)) sends[static_cast<std::size_t>(i)].wait();
      for (std::size_t i = 0; i < requests; ++i)
        EXPECT_EQ(in[i], words(place.left, 10 * round + static_cast<int>(i), in[i].size())) << "request " << i;
    }
  });
}

/// Whoever is first does not wait for the other to make its request, or to start it.
TEST_P(PartitionedRounds, BeginWithEitherSide) {
  on_each_rank([](const Place& place) {
    for (const std::size_t count : {std::size_t{12}, std::size_t{120'000}}) {
      for (const bool sender_first : {true, false}) {
        SCOPED_TRACE(::testing::Message() << count << " words, sender first: " << sender_first);
        std::vector<int> out = words(place.rank, 0, count);
        std::vector<int> in(count);
        Part send;
        Part receive;
        const auto make_send = [&] {
          send = send_part(place, out.data(), 4, static_cast<MPI_Count>(count / 4), MPI_INT);
          send.start();
          EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
        };
        const auto make_receive = [&] {
          receive = receive_part(place, in.data(), 3, static_cast<MPI_Count>(count / 3), MPI_INT);
          receive.start();
          EXPECT_FALSE(receive.arrived(0) && !sender_first);
        };
        if (sender_first) make_send();
        if (!sender_first) make_receive();
        MPI_Barrier(place.comm);
        if (sender_first) make_receive();
        if (!sender_first) make_send();
        receive.wait();
        send.wait();
        EXPECT_EQ(in, words(place.left, 0, count));
        // Once more, with the receiver a round behind as long as it may be.
        fill(out, place.rank, 1);
        send.start();
        EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
        MPI_Barrier(place.comm);
        receive.start();
        receive.wait();
        send.wait();
        EXPECT_EQ(in, words(place.left, 1, count));
      }
    }
  });
}

/// A sender whose messages are buffered ends rounds that the receiver, who has not made its request, knows nothing of.
TEST_P(PartitionedRounds, OfTheSenderMayBeAheadOfTheReceiver) {
  on_each_rank([](const Place& place) {
    constexpr int rounds = 12;
    std::vector<int> out(12);
    std::vector<int> in(12);
    Part send = send_part(place, out.data(), 4, 3, MPI_INT);
    int begun = 0;
    const auto begin = [&] {
      fill(out, place.rank, begun++);
      send.start();
      EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
    };
    begin();
    using Clock = std::chrono::steady_clock;
    for (auto until = Clock::now() + std::chrono::milliseconds(20); Clock::now() < until && begun < rounds;) {
      if (send.test()) begin();
    }
    MPI_Barrier(place.comm);
    Part receive = receive_part(place, in.data(), 3, 4, MPI_INT);
    for (int round = 0; round < rounds; ++round) {
      receive.start();
      if (begun == round) {
        send.wait();
        begin();
      }
      receive.wait();
      EXPECT_EQ(in, words(place.left, round, in.size())) << "round " << round;
    }
    send.wait();
  });
}

TEST_P(PartitionedRounds, ConcernTheTwoRanksAlone) {
  on_each_rank([](Place place) {
    // From the last rank to the first, and back; the others do nothing.
    const int last = place.size - 1;
    if (place.rank == 0 || place.rank == last) {
      place.left = place.right = last - place.rank;
      exchange(place, {60, 5, 4}, 5);
    }
  });
}

TEST_P(PartitionedRounds, MayNeverBegin) {
  on_each_rank([](const Place& place) {
    std::vector<int> out(60);
    std::vector<int> in(60);
    {
      const Part send = send_part(place, out.data(), 4, 15, MPI_INT);
      const Part receive = receive_part(place, in.data(), 5, 12, MPI_INT);
    }
    {
      // Of which the other side has not heard yet, perhaps.
      const Part receive = receive_part(place, in.data(), 3, 20, MPI_INT);
    }
    MPI_Barrier(place.comm);
    {
      const Part send = send_part(place, out.data(), 2, 30, MPI_INT);
    }
    // All of that has matched, and what comes now matches what comes now.
    exchange(place, {60, 6, 10});
    exchange(place, {30, 3, 5});
  });
}

TEST_P(PartitionedRounds, OfOthersGoOnWhenARequestIsFreed) {
  on_each_rank([](const Place& place) {
    constexpr std::size_t count = 60;
    std::array<std::vector<int>, 3> out;
    std::array<std::vector<int>, 3> in;
    std::array<Part, 3> sends;
    std::array<Part, 3> receives;
    for (std::size_t i = 0; i < 3; ++i) {
      in[i].resize(count);
      out[i].resize(count);
      sends[i] = send_part(place, out[i].data(), 4, 15, MPI_INT);
      receives[i] = receive_part(place, in[i].data(), 5, 12, MPI_INT);
    }
    for (const std::size_t freed : {std::size_t{1}, std::size_t{0}, std::size_t{2}}) {
      for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < 3; ++i) {
          if (sends[i].request == MPI_REQUEST_NULL) continue;
          fill(out[i], place.rank, 10 * round + static_cast<int>(i));
          receives[i].start();
          sends[i].start();
          EXPECT_EQ(pready_range(0, 3, sends[i].request), MPI_SUCCESS);
          receives[i].wait();
          sends[i].wait();
          EXPECT_EQ(in[i], words(place.left, 10 * round + static_cast<int>(i), count));
        }
      }
      if (place.rank % 2 == 0) sends[freed].free();
      receives[freed].free();
      sends[freed].free();
    }
  });
}

/// As with any request, they keep a communicator that the program frees (MPI-4.1 section 7.4.3).
TEST_P(PartitionedRounds, GoOnWhenTheCommunicatorIsFreed) {
  on_each_rank([](Place place) {
    MPI_Comm comm = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_dup(place.comm, &comm), MPI_SUCCESS);
    ASSERT_EQ(attach(comm), MPI_SUCCESS);
    place.comm = comm;
    std::vector<int> out(60);
    std::vector<int> in(60);
    Part send = send_part(place, out.data(), 4, 15, MPI_INT);
    Part receive = receive_part(place, in.data(), 5, 12, MPI_INT);
    ASSERT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
    for (int round = 0; round < 5; ++round) {
      fill(out, place.rank, round);
      receive.start();
      send.start();
      EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
      receive.wait();
      send.wait();
      EXPECT_EQ(in, words(place.left, round, in.size()));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedRounds, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedRounds, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
