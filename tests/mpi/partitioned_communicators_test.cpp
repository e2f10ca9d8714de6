// SPDX-License-Identifier: BSD-3-Clause
// Communicators of all sorts, and what else happens on them: other messages, other receives, other waiting.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <thread>

#include "mpi/made_communicators.hpp"
#include "mpi/partitioned_ranks.hpp"

namespace raddle::testing {
namespace {

class PartitionedCommunicators : public Partitioned {};

/// Those made of another one. Under RADDLE_PARTITIONED=1 nobody attaches them.
TEST_P(PartitionedCommunicators, MayBeMadeOfOthers) {
  on_each_rank([](const Place& place) {
    with_each_made_of(place.comm, [&](MPI_Comm made) {
      ASSERT_EQ(attach(made), MPI_SUCCESS);
      exchange(Place(made), {60, 5, 4});
    });
  });
}

TEST_P(PartitionedCommunicators, MayBeThoseThatAreAlwaysThere) {
  if (GetParam() == Ranks::endpoints) GTEST_SKIP() << "there are none of endpoints";
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    ASSERT_EQ(attach(comm), MPI_SUCCESS);
    exchange(Place(comm), {60, 5, 4});
  }
}

TEST_P(PartitionedCommunicators, DoNotMeet) {
  on_each_rank([](const Place& place) {
    std::array<MPI_Comm, 2> comms{};
    std::array<std::vector<int>, 2> out;
    std::array<std::vector<int>, 2> in;
    std::array<Part, 2> sends;
    std::array<Part, 2> receives;
    std::vector<Place> places;
    for (MPI_Comm& comm : comms) {
      ASSERT_EQ(MPI_Comm_dup(place.comm, &comm), MPI_SUCCESS);
      ASSERT_EQ(attach(comm), MPI_SUCCESS);
      places.emplace_back(comm);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      out[i] = words(place.rank, static_cast<int>(i), 60);
      in[i].resize(60);
    }
    for (const std::size_t i : {0, 1}) sends[i] = send_part(places[i], out[i].data(), 4, 15, MPI_INT);
    for (const std::size_t i : {1, 0}) receives[i] = receive_part(places[i], in[i].data(), 4, 15, MPI_INT);
    for (const std::size_t i : {1, 0}) receives[i].start();
    for (const std::size_t i : {0, 1}) {
      sends[i].start();
      EXPECT_EQ(pready_range(0, 3, sends[i].request), MPI_SUCCESS);
    }
    for (const std::size_t i : {0, 1}) {
      receives[i].wait();
      sends[i].wait();
      EXPECT_EQ(in[i], words(place.left, static_cast<int>(i), 60)) << "communicator " << i;
    }
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  });
}

bool is_nothing_there(const Place& place) {
  int flag = -1;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, place.comm, &flag, MPI_STATUS_IGNORE);
  return flag == 0;
}

/// Nothing of it is seen by the program's own receives and probes, nor do its messages get lost among it.
TEST_P(PartitionedCommunicators, KeepOtherReceivesApart) {
  on_each_rank([](const Place& place) {
    for (int turn = 0; turn < 3; ++turn) {
      int early = 0;
      MPI_Request receive = MPI_REQUEST_NULL;
      MPI_Irecv(&early, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, place.comm, &receive);
      exchange(place, {60, 5, 4});
      exchange(place, {1 << 18, 4, 1}, 2, 0);
      int flag = -1;
      EXPECT_EQ(MPI_Test(&receive, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
      EXPECT_TRUE(is_nothing_there(place));
      MPI_Barrier(place.comm);  // all have looked
      const int word_out = word(place.rank, turn, 0);
      MPI_Send(&word_out, 1, MPI_INT, place.right, usual_tag, place.comm);
      MPI_Status status;
      EXPECT_EQ(MPI_Wait(&receive, &status), MPI_SUCCESS);
      EXPECT_EQ(status.MPI_SOURCE, place.left);
      EXPECT_EQ(status.MPI_TAG, usual_tag);
      EXPECT_EQ(early, word(place.left, turn, 0));
      // And one that is there before.
      MPI_Request send = MPI_REQUEST_NULL;
      MPI_Isend(&word_out, 1, MPI_INT, place.right, usual_tag, place.comm, &send);
      exchange(place, {60, 5, 4});
      int late = 0;
      MPI_Recv(&late, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, place.comm, &status);
      EXPECT_EQ(status.MPI_TAG, usual_tag);
      EXPECT_EQ(late, word(place.left, turn, 0));
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      EXPECT_TRUE(is_nothing_there(place));
      MPI_Barrier(place.comm);
    }
  });
}

/// MPI-4.1 section 3.5: what both sides have started completes, whatever else the receiver waits for.
TEST_P(PartitionedCommunicators, GoOnWhileTheReceiverIsBlocked) {
  on_each_rank([](const Place& place) {
    if (place.size == 1) return;
    const int last = place.size - 1;
    constexpr std::size_t most = std::size_t{1} << 20U;
    for (const std::size_t count : {std::size_t{16}, most}) {
      std::vector<int> data(count);
      int permission = 0;
      for (int round = 0; round < 4; ++round) {
        SCOPED_TRACE(::testing::Message() << count << " words, round " << round);
        Place pair = place;
        pair.left = pair.right = place.rank == 0 ? last : 0;
        if (place.rank == 0) {
          data.assign(count, 0);
          Part receive = receive_part(pair, data.data(), 2, static_cast<MPI_Count>(count / 2), MPI_INT);
          receive.start();
          MPI_Recv(&permission, 1, MPI_INT, last, 4, place.comm, MPI_STATUS_IGNORE);
          receive.wait();
          EXPECT_EQ(data, words(last, round, count));
        } else if (place.rank == last) {
          fill(data, last, round);
          Part send = send_part(pair, data.data(), 4, static_cast<MPI_Count>(count / 4), MPI_INT);
          send.start();
          std::this_thread::sleep_for(std::chrono::milliseconds(10));  // so that the receiver is blocked
          EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
          send.wait();
          MPI_Send(&permission, 1, MPI_INT, 0, 4, place.comm);
        }
      }
    }
  });
}

/// The same with a receiver that waits for everybody.
TEST_P(PartitionedCommunicators, GoOnWhileTheReceiverIsInABarrier) {
  on_each_rank([](const Place& place) {
    constexpr std::size_t count = std::size_t{1} << 20U;
    std::vector<int> in(count);
    std::vector<int> out(count);
    Part send = send_part(place, out.data(), 4, count / 4, MPI_INT);
    Part receive = receive_part(place, in.data(), 8, count / 8, MPI_INT);
    for (int round = 0; round < 4; ++round) {
      fill(out, place.rank, round);
      receive.start();
      send.start();
      EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
      // The last rank comes when what it sends has gone; those on its right are here by then.
      if (place.rank == place.size - 1 && place.size > 1) send.wait();
      MPI_Barrier(place.comm);
      receive.wait();
      send.wait();
      EXPECT_EQ(in, words(place.left, round, count));
    }
  });
}

/// More than an MPI has communicators.
TEST_P(PartitionedCommunicators, DISABLED_AreMadeAndFreedForLong) {
  on_each_rank([](const Place& place) {
    for (int turn = 0; turn < 2500; ++turn) {
      MPI_Comm made = MPI_COMM_NULL;
      ASSERT_EQ(MPI_Comm_dup(place.comm, &made), MPI_SUCCESS);
      ASSERT_EQ(attach(made), MPI_SUCCESS);
      exchange(Place(made), {12, 3, 4}, 1);
      MPI_Comm_free(&made);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedCommunicators, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedCommunicators, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
