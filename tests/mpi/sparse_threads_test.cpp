// SPDX-License-Identifier: BSD-3-Clause
// Threads that exchange at the same time, each on a lane or a communicator of its own.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <thread>

#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

constexpr int threads = 3;

/// Runs `act(thread)` in several threads.
template <typename Act>
void in_threads(Act&& act) {
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back([&act, t] { act(t); });
}

class SparseThreads : public Sparse {};

/// Nothing of one lane comes out of another.
Pattern on_lane(const Place& place, int lane, int round) {
  return [&place, lane, round](int rank) {
    const int dest = (rank + lane + round) % place.size;
    return Parcels{{dest, {lane, round, rank, dest}}, {(rank + round) % place.size, words(rank, lane, round % 50U)}};
  };
}

TEST_P(SparseThreads, ExchangeOnLanesOfTheirOwn) {
  if (GetParam() == Ranks::endpoints) GTEST_SKIP() << "lanes are made of processes";
  on_each_rank([](const Place& place) {
    std::array<MPI_Comm, threads> lanes{};
    ASSERT_EQ(Raddle_Lanes_create(place.comm, threads, MPI_INFO_NULL, lanes.data()), MPI_SUCCESS);
    for (const MPI_Comm lane : lanes) {
      EXPECT_EQ(Raddle_Sparse_attach(lane), MPI_SUCCESS);
      // Open MPI crashes when two threads make windows at the same time, so all that are needed are made here.
      const Hints rsx{{"raddle_sparse_algorithm", "rsx"}};
      for (int i = 0; i < 3; ++i) Flight(Place(lane), some(place.size, i), rsx).wait();
      expect_exchange(Place(lane), some(place.size, 5), rsx);
    }
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      in_threads([&](int t) {
        const Hints hints{{"raddle_sparse_algorithm", algorithm}};
        const Place mine(lanes.at(static_cast<std::size_t>(t)));
        for (int round = 0; round < 60; ++round) {
          if (round % 4 == 3) {
            Flight(mine, on_lane(mine, t, round), hints).wait();
          } else {
            expect_exchange(mine, on_lane(mine, t, round), hints);
          }
        }
      });
    }
    EXPECT_EQ(Raddle_Lanes_free(threads, lanes.data()), MPI_SUCCESS);
  });
}

/// Also where nobody has attached them ahead.
TEST_P(SparseThreads, ExchangeOnCommunicatorsOfTheirOwn) {
  on_each_rank([](const Place& place) {
    std::array<MPI_Comm, threads> comms{};
    for (MPI_Comm& comm : comms) MPI_Comm_dup(place.comm, &comm);
    in_threads([&](int t) {
      const Place mine(comms.at(static_cast<std::size_t>(t)));
      for (int round = 0; round < 60; ++round) expect_exchange(mine, on_lane(mine, t, round));
    });
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  });
}

/// One thread begins and another one ends it.
TEST_P(SparseThreads, CompleteWhatOthersHaveBegun) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 20; ++round) {
      Flight flight(place, some(place.size, round));
      const std::jthread other([&flight] { flight.wait(); });
    }
  });
}

/// Exchanges of one communicator that several threads wait for at the same time.
TEST_P(SparseThreads, WaitForExchangesOfOneCommunicator) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::unique_ptr<Flight>> flights;
      for (int i = 0; i < threads; ++i)
        flights.push_back(std::make_unique<Flight>(place, some(place.size, 10 * round + i)));
      in_threads([&](int t) { flights[static_cast<std::size_t>(t)]->wait(); });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseThreads, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseThreads, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
