// SPDX-License-Identifier: BSD-3-Clause
// Communicators of all sorts, and what else happens on them: other messages, other receives, other exchanges.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <deque>
#include <memory>

#include "mpi/made_communicators.hpp"
#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

class SparseCommunicators : public Sparse {};

TEST_P(SparseCommunicators, MayBeMadeOfOthers) {
  on_each_rank([](const Place& place) {
    with_each_made_of(place.comm, [&](MPI_Comm made) {
      const Place there(made);
      expect_exchange(there, some(there.size, 1));
      expect_exchange(place, some(place.size, 2));
      Flight(there, some(there.size, 3)).wait();
    });
  });
}

TEST_P(SparseCommunicators, MayBeThoseThatAreAlwaysThere) {
  if (GetParam() == Ranks::endpoints) GTEST_SKIP() << "there are none of endpoints";
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    const Place place(comm);
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 10; ++round) expect_exchange(place, some(place.size, round), hints);
      Flight(place, some(place.size, 3), hints).wait();
    }
  }
}

TEST_P(SparseCommunicators, MayBeAttachedAhead) {
  on_each_rank([](const Place& place) {
    EXPECT_EQ(Raddle_Sparse_attach(place.comm), MPI_SUCCESS);
    EXPECT_EQ(Raddle_Sparse_attach(place.comm), MPI_SUCCESS);
    const char* name = "unset";
    EXPECT_EQ(Raddle_Sparse_algorithm(place.comm, &name), MPI_SUCCESS);
    EXPECT_EQ(name, nullptr);
    expect_exchange(place, some(place.size, 1));
    EXPECT_EQ(Raddle_Sparse_attach(place.comm), MPI_SUCCESS);
    expect_exchange(place, some(place.size, 2));
  });
}

TEST_P(SparseCommunicators, AreFreedWithoutWaitingForOthers) {
  if (GetParam() == Ranks::endpoints) GTEST_SKIP() << "windows are of processes";
  on_each_rank([](const Place& place) {
    const Hints hints{{"raddle_sparse_algorithm", "rsx"}};
    for (int round = 0; round < 4; ++round) {
      MPI_Comm made = MPI_COMM_NULL;
      ASSERT_EQ(MPI_Comm_dup(place.comm, &made), MPI_SUCCESS);
      expect_exchange(Place(made), some(place.size, round), hints);
      if (place.rank > 0) MPI_Recv(nullptr, 0, MPI_BYTE, place.rank - 1, round, place.comm, MPI_STATUS_IGNORE);
      EXPECT_EQ(MPI_Comm_free(&made), MPI_SUCCESS);
      if (place.rank + 1 < place.size) MPI_Send(nullptr, 0, MPI_BYTE, place.rank + 1, round, place.comm);
    }
  });
}

TEST_P(SparseCommunicators, DoNotMeet) {
  on_each_rank([](const Place& place) {
    std::array<MPI_Comm, 3> comms{};
    std::vector<Place> places;
    for (MPI_Comm& comm : comms) {
      ASSERT_EQ(MPI_Comm_dup(place.comm, &comm), MPI_SUCCESS);
      places.emplace_back(comm);
    }
    for (int round = 0; round < 20; ++round) {
      std::deque<Flight> flights;
      for (std::size_t i = 0; i < 3; ++i)
        flights.emplace_back(places[i], some(place.size, round * 3 + static_cast<int>(i)));
      for (int i = 0; i < 3; ++i) flights[static_cast<std::size_t>((i + place.rank) % 3)].wait();
    }
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  });
}

/// Those that were made of it and those that it was made of go on, and so do messages that it has brought.
TEST_P(SparseCommunicators, MayBeFreedWhileOthersLive) {
  on_each_rank([](const Place& place) {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm child = MPI_COMM_NULL;
    MPI_Comm_dup(place.comm, &parent);
    expect_exchange(Place(parent), some(place.size, 1));
    MPI_Comm_dup(parent, &child);
    const Outgoing out(some(place.size, 2)(place.rank));
    Received kept;
    EXPECT_EQ(call_exchange(Place(parent), out, kept), MPI_SUCCESS);
    MPI_Comm_free(&parent);
    for (int round = 0; round < 5; ++round) {
      expect_exchange(Place(child), some(place.size, round));
      expect_exchange(place, some(place.size, round + 7));
    }
    MPI_Comm_free(&child);
    expect_exchange(place, some(place.size, 3));
    EXPECT_EQ(by_source(kept.parcels()), arriving(some(place.size, 2), place.size, place.rank));
  });
}

/// Marked to be freed, as the MPI says: what is under way ends normally.
TEST_P(SparseCommunicators, MayBeFreedWhileAnExchangeIsUnderWay) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 5; ++round) {
      MPI_Comm made = MPI_COMM_NULL;
      MPI_Comm_dup(place.comm, &made);
      Flight flight(Place(made), some(place.size, round));
      MPI_Comm_free(&made);
      expect_exchange(place, some(place.size, round + 20));
      flight.wait();
    }
  });
}

/// One rank ends its plan before the communicator, the others after it, when they hear from that one.
TEST_P(SparseCommunicators, MayBeFreedBeforeSomePlans) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      MPI_Comm made = MPI_COMM_NULL;
      MPI_Comm_dup(place.comm, &made);
      const Outgoing out(some(place.size, 2)(place.rank));
      Received in;
      MPI_Request plan = MPI_REQUEST_NULL;
      ASSERT_EQ(Raddle_Sparse_exchange_init(out.data.data(), out.count(), out.dests.data(), out.offsets.data(), MPI_INT,
                                            MPI_INT, hints, made, &in.messages, &plan),
                MPI_SUCCESS);
      EXPECT_EQ(MPI_Start(&plan), MPI_SUCCESS);
      EXPECT_EQ(MPI_Wait(&plan, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(by_source(in.parcels()), arriving(some(place.size, 2), place.size, place.rank));
      int word_out = 1;
      if (place.rank == 0) {
        MPI_Request_free(&plan);
        MPI_Comm_free(&made);
        for (int rank = 1; rank < place.size; ++rank) MPI_Send(&word_out, 1, MPI_INT, rank, 0, place.comm);
      } else {
        MPI_Comm_free(&made);
        MPI_Recv(&word_out, 1, MPI_INT, 0, 0, place.comm, MPI_STATUS_IGNORE);
        MPI_Request_free(&plan);
      }
    }
  });
}

bool is_nothing_there(const Place& place) {
  int flag = -1;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, place.comm, &flag, MPI_STATUS_IGNORE);
  return flag == 0;
}

/// Nothing of it is seen by the program's own receives and probes, nor do its messages get lost among it.
TEST_P(SparseCommunicators, KeepOtherReceivesApart) {
  on_each_rank([](const Place& place) {
    int turn = 0;
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      ++turn;
      int early = 0;
      MPI_Request receive = MPI_REQUEST_NULL;
      MPI_Irecv(&early, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, place.comm, &receive);
      for (int round = 0; round < 10; ++round) {
        Flight flight(place, some(place.size, round), hints);
        EXPECT_TRUE(is_nothing_there(place));
        flight.wait();
        expect_exchange(place, some(place.size, round + 10, 30'000), hints);
        EXPECT_TRUE(is_nothing_there(place));
      }
      int flag = -1;
      EXPECT_EQ(MPI_Test(&receive, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
      MPI_Barrier(place.comm);  // all have looked
      // Tags that an exchange may be thought to use.
      const int word_out = word(place.rank, turn, 0);
      MPI_Send(&word_out, 1, MPI_INT, place.right, turn % 3, place.comm);
      MPI_Status status;
      EXPECT_EQ(MPI_Wait(&receive, &status), MPI_SUCCESS);
      EXPECT_EQ(status.MPI_SOURCE, place.left);
      EXPECT_EQ(status.MPI_TAG, turn % 3);
      EXPECT_EQ(early, word(place.left, turn, 0));
      // And some that are there before.
      std::array<MPI_Request, 3> sends{};
      for (int tag = 0; tag < 3; ++tag)
        MPI_Isend(&word_out, 1, MPI_INT, place.right, tag, place.comm, &sends[static_cast<std::size_t>(tag)]);
      for (int round = 0; round < 5; ++round) expect_exchange(place, some(place.size, round), hints);
      for (int tag = 0; tag < 3; ++tag) {
        int late = 0;
        MPI_Recv(&late, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, place.comm, &status);
        EXPECT_EQ(status.MPI_TAG, tag);
        EXPECT_EQ(late, word(place.left, turn, 0));
      }
      MPI_Waitall(3, sends.data(), MPI_STATUSES_IGNORE);
      EXPECT_TRUE(is_nothing_there(place));
      MPI_Barrier(place.comm);
    }
  });
}

/// The program's own collective operations on the same communicator, before, between, and while one is under way.
TEST_P(SparseCommunicators, KeepOtherCollectivesApart) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 20; ++round) {
      int sum = 0;
      int largest = 0;
      const int mine = place.rank + round;
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, place.comm, &request);
      Flight flight(place, some(place.size, round));
      MPI_Allreduce(&mine, &largest, 1, MPI_INT, MPI_MAX, place.comm);
      EXPECT_EQ(largest, place.size - 1 + round);
      if (round % 2 == 0) flight.wait();
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (round % 2 == 1) flight.wait();
      EXPECT_EQ(sum, place.size * (place.size - 1) / 2 + place.size * round);
    }
  });
}

/// Hundreds, of which many live at the same time; some are never used.
TEST_P(SparseCommunicators, MayBeMany) {
  on_each_rank([](const Place& place) {
    for (int turn = 0; turn < 3; ++turn) {
      std::vector<MPI_Comm> comms(25);
      for (std::size_t i = 0; i < comms.size(); ++i) {
        ASSERT_EQ(MPI_Comm_dup(place.comm, &comms[i]), MPI_SUCCESS);
        if (i % 5 != 4) expect_exchange(Place(comms[i]), some(place.size, static_cast<int>(i)));
      }
      for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    }
  });
}

/// More than an MPI has communicators.
TEST_P(SparseCommunicators, DISABLED_AreMadeAndFreedForLong) {
  on_each_rank([](const Place& place) {
    for (int turn = 0; turn < 2500; ++turn) {
      MPI_Comm made = MPI_COMM_NULL;
      ASSERT_EQ(MPI_Comm_dup(place.comm, &made), MPI_SUCCESS);
      expect_exchange(Place(made), some(place.size, turn));
      if (turn % 2 == 0) Flight(Place(made), some(place.size, turn)).wait();
      MPI_Comm_free(&made);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseCommunicators, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseCommunicators, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
