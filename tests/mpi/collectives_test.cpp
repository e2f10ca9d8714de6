// SPDX-License-Identifier: BSD-3-Clause
// Collectives on endpoints, one by one: what the random ones (collectives_random) do not tell apart. Every rank of
// every endpoint runs in a thread.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "mpi/error_words.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::testing::class_of;

int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Runs `something` on each endpoint at once: `counts` of them, by turns, on the processes.
void on_each(std::vector<int> counts, const std::function<void(MPI_Comm)>& something) {
  const int count = counts[static_cast<std::size_t>(rank_in(MPI_COMM_WORLD)) % counts.size()];
  std::vector<MPI_Comm> endpoints(static_cast<std::size_t>(count));
  ASSERT_EQ(MPIX_Comm_create_endpoints(MPI_COMM_WORLD, count, MPI_INFO_NULL, endpoints.data()), MPI_SUCCESS);
  std::vector<std::thread> threads;
  for (const MPI_Comm endpoint : endpoints) threads.emplace_back(something, endpoint);
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& endpoint : endpoints) MPI_Comm_free(&endpoint);
}

/// x -> slope * x + shift, modulo 2^32: composition is associative and does not commute.
struct Map {
  unsigned slope;
  unsigned shift;
  bool operator==(const Map&) const = default;
};

Map compose(Map first, Map second) { return {first.slope * second.slope, second.slope * first.shift + second.shift}; }

void compose_all(void* left, void* right, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) {
    Map& result = static_cast<Map*>(right)[i];
    result = compose(static_cast<const Map*>(left)[i], result);
  }
}

Map map_of(int rank, int element) {
  return {2U * static_cast<unsigned>(rank) + 3U, static_cast<unsigned>(7 * rank + element)};
}

Map composed(int first, int last, int element) {
  Map result = map_of(first, element);
  for (int rank = first + 1; rank <= last; ++rank) result = compose(result, map_of(rank, element));
  return result;
}

TEST(Collectives, CombineInTheOrderOfRanksWhereTheOperatorDoesNotCommute) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(compose_all, 0, &op);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_UNSIGNED, &type);
  MPI_Type_commit(&type);
  on_each({2, 3, 1}, [&](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    for (const int count : {1, 5, 20'000}) {
      std::vector<Map> in(static_cast<std::size_t>(count));
      std::vector<Map> out(in.size());
      for (int i = 0; i < count; ++i) in[static_cast<std::size_t>(i)] = map_of(rank, i);
      MPI_Allreduce(in.data(), out.data(), count, type, op, comm);
      EXPECT_EQ(out.back(), composed(0, size - 1, count - 1));
      MPI_Scan(in.data(), out.data(), count, type, op, comm);
      EXPECT_EQ(out.back(), composed(0, rank, count - 1));
      MPI_Exscan(in.data(), out.data(), count, type, op, comm);
      if (rank > 0) {
        EXPECT_EQ(out.back(), composed(0, rank - 1, count - 1));
      }
      MPI_Reduce(in.data(), out.data(), count, type, op, size - 1, comm);
      if (rank == size - 1) {
        EXPECT_EQ(out.front(), composed(0, size - 1, 0));
      }
    }
  });
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

TEST(Collectives, LeaveTheGapsOfDatatypesAlone) {
  MPI_Datatype spread = MPI_DATATYPE_NULL;  // one int of three
  MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &spread);
  MPI_Type_commit(&spread);
  on_each({2}, [&](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    std::vector<int> in(30, -1);
    std::vector<int> out(static_cast<std::size_t>(30 * size), -1);
    for (std::size_t i = 0; i < in.size(); i += 3) in[i] = rank;
    MPI_Allgather(in.data(), 10, spread, out.data(), 10, spread, comm);
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i % 3 == 0 ? static_cast<int>(i) / 30 : -1);
    MPI_Allgather(in.data(), 10, spread, out.data(), 10, MPI_INT, comm);
    for (int i = 0; i < 10 * size; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i / 10);
  });
  MPI_Type_free(&spread);
}

TEST(Collectives, MaySeveralBeUnderWayAndEndInAnyOrder) {
  on_each({2, 1}, [](MPI_Comm comm) {
    constexpr int many = 40;  // more than there are slots
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    std::vector<MPI_Request> requests(many);
    std::vector<int> sums(many);
    std::vector<int> words(many);
    for (int i = 0; i < many; ++i) {
      const auto at = static_cast<std::size_t>(i);
      words[at] = i % size == rank ? i : -1;
      if (i % 2 == 0) {
        MPI_Iallreduce(&rank, &sums[at], 1, MPI_INT, MPI_SUM, comm, &requests[at]);
      } else {
        MPI_Ibcast(&words[at], 1, MPI_INT, i % size, comm, &requests[at]);
      }
    }
    MPI_Barrier(comm);  // after those that have begun
    for (int i = many - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(rank % 2 == 0 ? i : many - 1 - i);
      MPI_Wait(&requests[at], MPI_STATUS_IGNORE);
      EXPECT_EQ(requests[at], MPI_REQUEST_NULL);
      if (at % 2 == 0) {
        EXPECT_EQ(sums[at], size * (size - 1) / 2);
      } else {
        EXPECT_EQ(words[at], static_cast<int>(at));
      }
    }
  });
}

TEST(Collectives, GoOnWhileAThreadWaitsForAMessage) {
  on_each({2}, [](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    MPI_Request request = MPI_REQUEST_NULL;
    int word = 0;
    MPI_Ibarrier(comm, &request);
    if (rank > 0) MPI_Recv(&word, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int to = 1; rank == 0 && to < size; ++to) MPI_Send(&word, 1, MPI_INT, to, 0, comm);
  });
}

TEST(Collectives, MayBeStartedInAnyOrderWhenTheyArePersistent) {
  on_each({2, 1}, [](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    int sum = 0;
    int mine = 0;
    int word = 0;
    MPI_Request requests[2];
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(&word, 1, MPI_INT, size - 1, comm, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 30; ++round) {
      mine = rank + round;
      word = rank == size - 1 ? round : -1;
      MPI_Start(&requests[(rank + round) % 2]);
      MPI_Start(&requests[(rank + round + 1) % 2]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      EXPECT_EQ(sum, size * (size - 1) / 2 + size * round);
      EXPECT_EQ(word, round);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  });
}

TEST(Collectives, MayOutliveTheHandleOfTheirCommunicator) {
  on_each({2, 1}, [](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    int sums[2] = {0, 0};
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request requests[2];
    MPI_Comm_dup(comm, &copy);
    MPI_Allreduce_init(&rank, &sums[0], 1, MPI_INT, MPI_SUM, copy, MPI_INFO_NULL, &requests[0]);
    MPI_Iallreduce(&rank, &sums[1], 1, MPI_INT, MPI_SUM, copy, &requests[1]);
    MPI_Comm_free(&copy);
    MPI_Start(&requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT_EQ(sums[0], size * (size - 1) / 2);
    EXPECT_EQ(sums[1], size * (size - 1) / 2);
    MPI_Request_free(&requests[0]);
  });
}

TEST(Collectives, NeedTheirDatatypesOnlyWhenTheyAreCalled) {
  on_each({2}, [](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    const std::vector<int> in{rank, -1, rank + 1};
    std::vector<int> out(static_cast<std::size_t>(2 * size));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(in.data(), 1, pair, out.data(), 2, MPI_INT, comm, &request);
    MPI_Type_free(&pair);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int from = 0; from < size; ++from) {
      EXPECT_EQ(out[static_cast<std::size_t>(2 * from)], from);
      EXPECT_EQ(out[static_cast<std::size_t>(2 * from + 1)], from + 1);
    }
  });
}

TEST(Collectives, CountsMayChangeOnceTheyAreUnderWay) {
  on_each({2, 3}, [](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const auto size = static_cast<std::size_t>(size_of(comm));
    std::vector<int> counts(size, 1);
    std::vector<int> places(size);
    std::iota(places.begin(), places.end(), 0);
    std::vector<int> out(size, -1);
    if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the others have to wait
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgatherv(&rank, 1, MPI_INT, out.data(), counts.data(), places.data(), MPI_INT, comm, &request);
    std::ranges::fill(counts, -1);
    std::ranges::fill(places, 1 << 30);
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (std::size_t from = 0; from < size; ++from) EXPECT_EQ(out[from], static_cast<int>(from));
  });
}

// Where only the endpoints return errors: nothing is raised elsewhere. Short ones, and those that are combined in
// shares.
TEST(Collectives, RaiseOperatorsThatDoNotCombineTheTypeOnTheEndpoint) {
  on_each({2}, [](MPI_Comm comm) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (const int count : {1, 64, 100'000}) {
      std::vector<double> in(static_cast<std::size_t>(count));
      std::vector<double> out(in.size());
      EXPECT_EQ(class_of(MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_BAND, comm)), MPI_ERR_OP);
      MPI_Request request = MPI_REQUEST_NULL;
      EXPECT_EQ(class_of(MPI_Iallreduce(in.data(), out.data(), count, pair, MPI_SUM, comm, &request)), MPI_ERR_OP);
      EXPECT_EQ(class_of(MPI_Scan(in.data(), out.data(), count, MPI_DOUBLE, MPI_MAXLOC, comm)), MPI_ERR_OP);
      EXPECT_EQ(MPI_Allreduce(in.data(), out.data(), count, MPI_2INT, MPI_MINLOC, comm), MPI_SUCCESS);
    }
    MPI_Type_free(&pair);
  });
}

TEST(Collectives, RaiseBadArgumentsOnTheEndpoint) {
  on_each({1}, [](MPI_Comm comm) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int word = 0;
    EXPECT_EQ(class_of(MPI_Bcast(&word, 1, MPI_INT, size_of(comm), comm)), MPI_ERR_ROOT);
    EXPECT_EQ(class_of(MPI_Bcast(&word, -1, MPI_INT, 0, comm)), MPI_ERR_COUNT);
    EXPECT_EQ(class_of(MPI_Bcast(&word, 1, MPI_DATATYPE_NULL, 0, comm)), MPI_ERR_TYPE);
    EXPECT_EQ(class_of(MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_OP_NULL, comm)), MPI_ERR_OP);
    EXPECT_EQ(class_of(MPI_Allreduce(MPI_IN_PLACE, &word, -1, MPI_INT, MPI_SUM, comm)), MPI_ERR_COUNT);
  });
}

}  // namespace
