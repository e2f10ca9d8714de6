// SPDX-License-Identifier: BSD-3-Clause
// Exchanges that do not wait: completed like any request, with others, in any order, and more of them than have lanes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <deque>

#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

class SparseNonblocking : public Sparse {};

TEST_P(SparseNonblocking, EndsByWaitOrTest) {
  on_each_rank([](const Place& place) {
    EXPECT_EQ(Raddle_Sparse_attach(place.comm), MPI_SUCCESS);
    for (int round = 0; round < 40; ++round) {
      Flight flight(place, some(place.size, round));
      if ((round + place.rank) % 2 == 0) {
        flight.wait();
      } else {
        while (!flight.test()) std::this_thread::yield();
        flight.check();
        EXPECT_TRUE(flight.test());  // a null request by now
      }
    }
  });
}

/// Asked before: it tells again and again, and ends nothing.
TEST_P(SparseNonblocking, TellsWhetherItIsComplete) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 20; ++round) {
      Flight flight(place, some(place.size, round));
      for (int i = 0; i < 3; ++i) {
        for (int flag = 0; flag == 0;)
          EXPECT_EQ(MPI_Request_get_status(flight.request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      }
      EXPECT_NE(flight.request, MPI_REQUEST_NULL);
      EXPECT_TRUE(flight.test());
      flight.check();
    }
  });
}

/// Nobody is done before all have begun that have something for it.
TEST_P(SparseNonblocking, IsNotCompleteTooEarly) {
  on_each_rank([](const Place& place) {
    if (place.size == 1) return;
    EXPECT_EQ(Raddle_Sparse_attach(place.comm), MPI_SUCCESS);
    for (int round = 0; round < 5; ++round) {
      const Pattern pattern = [&place](int rank) { return Parcels{{(rank + 1) % place.size, words(rank, 0, 9)}}; };
      const int late = round % place.size;
      int word = 0;
      if (place.rank == late) {
        // Only when its right neighbour has seen that nothing has come.
        MPI_Recv(&word, 1, MPI_INT, place.right, 3, place.comm, MPI_STATUS_IGNORE);
        Flight(place, pattern).wait();
      } else {
        Flight flight(place, pattern);
        for (int i = 0; place.left == late && i < 200; ++i) EXPECT_FALSE(flight.test());
        if (place.left == late) MPI_Send(&word, 1, MPI_INT, late, 3, place.comm);
        flight.wait();
      }
    }
  });
}

/// Completes all that are active, by one of six calls.
void complete(std::vector<MPI_Request>& all, std::size_t active, int way) {
  const int count = static_cast<int>(all.size());
  std::vector<int> indices(all.size());
  for (std::size_t done = 0; done < active;) {
    int number = 1;
    switch (way) {
      case 0:
        EXPECT_EQ(MPI_Waitall(count, all.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
        number = static_cast<int>(active);
        break;
      case 1:
        EXPECT_EQ(MPI_Testall(count, all.data(), &number, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        number *= static_cast<int>(active);
        break;
      case 2:
        EXPECT_EQ(MPI_Waitany(count, all.data(), indices.data(), MPI_STATUS_IGNORE), MPI_SUCCESS);
        break;
      case 3:
        EXPECT_EQ(MPI_Testany(count, all.data(), indices.data(), &number, MPI_STATUS_IGNORE), MPI_SUCCESS);
        break;
      case 4:
        EXPECT_EQ(MPI_Waitsome(count, all.data(), &number, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
        break;
      default:
        EXPECT_EQ(MPI_Testsome(count, all.data(), &number, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    }
    if (number == 0) std::this_thread::yield();
    done += static_cast<std::size_t>(number);
  }
}

/// Calls on arrays, with ordinary requests of the same communicator, others of the MPI's own, and null ones.
TEST_P(SparseNonblocking, EndsTogetherWithOthers) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 40; ++round) {
      SCOPED_TRACE(round);
      const int own_out = word(place.rank, round, 0);
      int own_in = 0;
      int other_in = 0;
      std::deque<Flight> flights;
      std::vector<MPI_Request> all(7, MPI_REQUEST_NULL);
      MPI_Irecv(&other_in, 1, MPI_INT, place.left, 4, place.comm, &all[0]);
      MPI_Irecv(&own_in, 1, MPI_INT, 0, 5 + place.rank, MPI_COMM_SELF, &all[3]);
      flights.emplace_back(place, some(place.size, 2 * round));
      flights.emplace_back(place, some(place.size, 2 * round + 1));
      all[2] = flights[0].request;
      all[5] = flights[1].request;
      MPI_Isend(&own_out, 1, MPI_INT, place.right, 4, place.comm, &all[4]);
      MPI_Isend(&own_out, 1, MPI_INT, 0, 5 + place.rank, MPI_COMM_SELF, &all[6]);
      complete(all, 6, (round + place.rank) % 6);
      EXPECT_EQ(all, std::vector<MPI_Request>(7, MPI_REQUEST_NULL));
      for (Flight& flight : flights) {
        flight.request = MPI_REQUEST_NULL;
        flight.check();
      }
      EXPECT_EQ(own_in, own_out);
      EXPECT_EQ(other_in, word(place.left, round, 0));
    }
  });
}

/// In the order in which they began, in the other, and in one of each rank's own.
TEST_P(SparseNonblocking, MayBeUnderWayManyTimes) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      constexpr std::size_t many = 9;
      for (int turn = 0; turn < 6; ++turn) {
        std::deque<Flight> flights;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < many; ++i) {
          flights.emplace_back(place, some(place.size, 100 * turn + static_cast<int>(i), i == 4 ? 50'000 : 40), hints);
          order.push_back(turn % 3 == 1 ? many - 1 - i : i);
        }
        traffic::Random random(traffic::mix({static_cast<std::uint64_t>(place.rank), 3}));
        if (turn % 3 == 2) random.shuffle(order);
        for (const std::size_t i : order) flights[i].wait();
      }
    }
  });
}

/// What has begun early ends late: all others come and go meanwhile, and waiting ones among them.
TEST_P(SparseNonblocking, MayBeCompletedLate) {
  on_each_rank([](const Place& place) {
    for (int turn = 0; turn < 5; ++turn) {
      std::deque<Flight> late;
      late.emplace_back(place, some(place.size, 1000 + turn));
      for (int round = 0; round < 12; ++round) {
        if (round == 6) late.emplace_back(place, some(place.size, 2000 + turn, 50'000));
        if (round % 3 == 2) {
          expect_exchange(place, some(place.size, round));
        } else {
          Flight(place, some(place.size, round)).wait();
        }
      }
      for (Flight& flight : late) flight.wait();
    }
  });
}

/// Two communicators: who waits for the one goes on with the other.
TEST_P(SparseNonblocking, MayBeUnderWayOnTwoCommunicators) {
  on_each_rank([](const Place& place) {
    MPI_Comm second = MPI_COMM_NULL;
    MPI_Comm_dup(place.comm, &second);
    const Place other(second);
    for (int round = 0; round < 20; ++round) {
      Flight one(place, some(place.size, round));
      Flight two(other, some(place.size, round + 500));
      const bool first = (round + place.rank) % 2 == 0;
      (first ? one : two).wait();
      (first ? two : one).wait();
    }
    MPI_Comm_free(&second);
  });
}

/// What all have begun completes, whatever else a rank waits for: the others are done before the last comes.
TEST_P(SparseNonblocking, GoesOnWhileARankIsInABarrier) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 4; ++round) {
        Flight flight(place, some(place.size, round, round == 3 ? 50'000 : 40), hints);
        const bool before = (place.rank + round) % 2 == 0;
        if (before) flight.wait();
        MPI_Barrier(place.comm);
        if (!before) flight.wait();
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseNonblocking, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseNonblocking, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
