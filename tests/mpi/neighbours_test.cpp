// SPDX-License-Identifier: BSD-3-Clause
// Collectives on neighbours, on communicators of endpoints: what random sequences (collectives_random) do not show. All
// ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include "mpi/made_communicators.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::uneven;

/// Of all ranks, in one dimension.
MPI_Comm line(MPI_Comm comm, bool periodic) {
  const int length = size_of(comm);
  const int around = periodic ? 1 : 0;
  MPI_Comm made = MPI_COMM_NULL;
  EXPECT_EQ(MPI_Cart_create(comm, 1, &length, &around, 0, &made), MPI_SUCCESS);
  return made;
}

TEST(Neighbours, BeyondTheEdgeLeaveTheBufferAlone) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm open = line(comm, false);
    const int rank = rank_in(open);
    const int last = size_of(open) - 1;
    const std::array out{10 * rank, 10 * rank + 1};
    std::array<int, 2> in{-1, -1};
    EXPECT_EQ(MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, open), MPI_SUCCESS);
    EXPECT_EQ(in, (std::array{rank == 0 ? -1 : 10 * (rank - 1) + 1, rank == last ? -1 : 10 * (rank + 1)}));
    in = {-1, -1};
    EXPECT_EQ(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, open), MPI_SUCCESS);
    EXPECT_EQ(in, (std::array{rank == 0 ? -1 : rank - 1, rank == last ? -1 : rank + 1}));
    MPI_Comm_free(&open);
  });
}

TEST(Neighbours, OnBothSidesMayBeTheSame) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    // So long that each has itself in the first dimension, and the other one twice in the second.
    const std::array lengths{1, 2};
    const std::array periodic{1, 1};
    MPI_Comm made = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Cart_create(comm, 2, lengths.data(), periodic.data(), 0, &made), MPI_SUCCESS);
    if (made == MPI_COMM_NULL) return;
    const int rank = rank_in(made);
    const int other = 1 - rank;
    std::array<int, 4> out{};
    std::iota(out.begin(), out.end(), 10 * rank);
    std::array<int, 4> in{-1, -1, -1, -1};
    EXPECT_EQ(MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, made), MPI_SUCCESS);
    EXPECT_EQ(in, (std::array{10 * rank + 1, 10 * rank, 10 * other + 3, 10 * other + 2}));
    MPI_Comm_free(&made);
  });
}

TEST(Neighbours, OfAGraphAreThoseOfItsEdges) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int size = size_of(comm);
    const int rank = rank_in(comm);
    // All with all, the highest first.
    std::vector<int> ends;
    std::vector<int> edges;
    for (int from = 0; from < size; ++from) {
      for (int to = size - 1; to >= 0; --to) edges.push_back(to);
      ends.push_back(static_cast<int>(edges.size()));
    }
    MPI_Comm made = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Graph_create(comm, size, ends.data(), edges.data(), 0, &made), MPI_SUCCESS);
    std::vector<int> out(static_cast<std::size_t>(size));
    std::vector<int> in(static_cast<std::size_t>(size), -1);
    std::vector<int> model;
    for (int i = 0; i < size; ++i) {
      out[static_cast<std::size_t>(i)] = 100 * rank + size - 1 - i;
      model.push_back(100 * (size - 1 - i) + rank);
    }
    EXPECT_EQ(MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, made), MPI_SUCCESS);
    EXPECT_EQ(in, model);
    MPI_Comm_free(&made);
  });
}

TEST(Neighbours, AreNotHeardByReceivesOfTheProgram) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm ring = line(comm, true);
    const int rank = rank_in(ring);
    const int size = size_of(ring);
    const int right = (rank + 1) % size;
    const int left = (rank + size - 1) % size;
    int before = -1;
    int after = -1;
    MPI_Request posted = MPI_REQUEST_NULL;
    std::vector<MPI_Request> exchange(1, MPI_REQUEST_NULL);
    MPI_Irecv(&before, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &posted);
    const std::array out{rank, rank};
    std::array<int, 2> in{-1, -1};
    MPI_Ineighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, ring, exchange.data());
    // By now what neighbours have sent may lie here, asked for and not.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    int found = 1;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &found, MPI_STATUS_IGNORE);
    EXPECT_EQ(found, 0);
    MPI_Test(&posted, &found, MPI_STATUS_IGNORE);
    EXPECT_EQ(found, 0);
    MPI_Waitall(1, exchange.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(in, (std::array{left, right}));
    // Nobody sends before all have looked.
    MPI_Barrier(ring);
    for (int value : {7, 8}) MPI_Send(&value, 1, MPI_INT, right, value, ring);
    MPI_Wait(&posted, MPI_STATUS_IGNORE);
    EXPECT_EQ(before, 7);
    MPI_Status status;
    MPI_Recv(&after, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &status);
    EXPECT_EQ(after, 8);
    EXPECT_EQ(status.MPI_TAG, 8);
    MPI_Comm_free(&ring);
  });
}

TEST(Neighbours, ExchangeSeveralTimesAtOnce) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm ring = line(comm, true);
    const int rank = rank_in(ring);
    const int size = size_of(ring);
    constexpr int times = 12;
    constexpr int length = 20000;  // most are too long for an inbox
    constexpr std::size_t room = 2 * std::size_t{length};
    std::vector<std::vector<int>> out;
    std::vector<std::vector<int>> in;
    std::vector<MPI_Request> requests(times, MPI_REQUEST_NULL);
    for (int time = 0; time < times; ++time) {
      out.emplace_back(length, 1000 * time + rank);
      in.emplace_back(room, -1);
    }
    for (int time = 0; time < times; ++time) {
      const auto at = static_cast<std::size_t>(time);
      const int count = time % 3 == 0 ? 1 : length;
      MPI_Ineighbor_allgather(out[at].data(), count, MPI_INT, in[at].data(), count, MPI_INT, ring, &requests[at]);
    }
    MPI_Waitall(times, requests.data(), MPI_STATUSES_IGNORE);
    for (int time = 0; time < times; ++time) {
      const auto count = static_cast<std::size_t>(time % 3 == 0 ? 1 : length);
      std::vector<int> model(count, 1000 * time + (rank + size - 1) % size);
      model.resize(2 * count, 1000 * time + (rank + 1) % size);
      model.resize(room, -1);
      EXPECT_EQ(in[static_cast<std::size_t>(time)], model) << time;
    }
    MPI_Comm_free(&ring);
  });
}

#if MPI_VERSION >= 4
TEST(Neighbours, MayBeStartedInAnyOrder) {
  Endpoints endpoints(3);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm ring = line(comm, true);
    const int rank = rank_in(ring);
    const int size = size_of(ring);
    std::array<int, 3> out{};
    std::array<std::array<int, 2>, 3> in{};
    std::array<MPI_Request, 3> requests{};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(
          MPI_Neighbor_allgather_init(&out[i], 1, MPI_INT, in[i].data(), 1, MPI_INT, ring, MPI_INFO_NULL, &requests[i]),
          MPI_SUCCESS);
    }
    MPI_Comm_free(&ring);  // as long as there are requests, they work
    for (int round = 0; round < 20; ++round) {
      for (std::size_t i = 0; i < 3; ++i) out[i] = 1000 * static_cast<int>(i) + 10 * round + rank;
      for (std::size_t i = 0; i < 3; ++i) MPI_Start(&requests[(i + static_cast<std::size_t>(rank)) % 3]);
      if (round % 2 == 0) {
        MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
      } else {
        for (MPI_Request& request : requests) {
          for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const int base = 1000 * static_cast<int>(i) + 10 * round;
        EXPECT_EQ(in[i], (std::array{base + (rank + size - 1) % size, base + (rank + 1) % size}));
      }
    }
    for (MPI_Request& request : requests) MPI_Request_free(&request);
  });
}
#endif

TEST(Neighbours, OfNobodyExchangeNothing) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Dist_graph_create(comm, 0, nullptr, nullptr, nullptr, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    EXPECT_EQ(MPI_Neighbor_alltoall(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, made), MPI_SUCCESS);
    EXPECT_EQ(MPI_Neighbor_alltoallw(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, made),
              MPI_SUCCESS);
    std::vector<MPI_Request> request(1, MPI_REQUEST_NULL);
    EXPECT_EQ(MPI_Ineighbor_allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, made, request.data()), MPI_SUCCESS);
    MPI_Comm_free(&made);
    EXPECT_EQ(MPI_Waitall(1, request.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  });
}

TEST(Neighbours, TellWhatIsWrong) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm ring = line(comm, true);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    std::array<int, 4> out{};
    std::array<int, 4> in{};
    EXPECT_EQ(class_of(MPI_Neighbor_alltoall(out.data(), -1, MPI_INT, in.data(), 1, MPI_INT, ring)), MPI_ERR_COUNT);
    EXPECT_EQ(class_of(MPI_Neighbor_alltoall(out.data(), 1, MPI_DATATYPE_NULL, in.data(), 1, MPI_INT, ring)),
              MPI_ERR_TYPE);
    EXPECT_EQ(class_of(MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_DATATYPE_NULL, ring)),
              MPI_ERR_TYPE);
    EXPECT_EQ(class_of(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, in.data(), 1, MPI_INT, ring)), MPI_ERR_BUFFER);
    // All have been told before anything is sent; this one is found out later.
    EXPECT_EQ(class_of(MPI_Neighbor_alltoall(out.data(), 2, MPI_INT, in.data(), 1, MPI_INT, ring)), MPI_ERR_TRUNCATE);
    EXPECT_EQ(MPI_Neighbor_alltoall(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT, ring), MPI_SUCCESS);
    MPI_Comm_free(&ring);
  });
}

}  // namespace
