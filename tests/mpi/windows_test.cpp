// SPDX-License-Identifier: BSD-3-Clause
// Windows of endpoints as a program sees them (MPI-4.1 chapter 12): epochs and operations. All ranks run all tests.
#include "mpi/windows.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using raddle::testing::Exposed;
using raddle::testing::size_of;
using raddle::testing::with_endpoints;

TEST(Windows, FencesMakePutsSeen) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, static_cast<std::size_t>(size_of(comm)), -1);
    EXPECT_EQ(MPI_Win_fence(MPI_MODE_NOPRECEDE, exposed.window), MPI_SUCCESS);
    for (int to = 0; to < exposed.size; ++to) {
      const int value = 100 * exposed.rank + to;
      EXPECT_EQ(MPI_Put(&value, 1, MPI_INT, to, exposed.rank, 1, MPI_INT, exposed.window), MPI_SUCCESS);
    }
    EXPECT_EQ(MPI_Win_fence(0, exposed.window), MPI_SUCCESS);
    for (int from = 0; from < exposed.size; ++from)
      EXPECT_EQ(exposed.memory[static_cast<std::size_t>(from)], 100 * from + exposed.rank);
    std::vector<int> got(static_cast<std::size_t>(exposed.size), -2);
    for (int from = 0; from < exposed.size; ++from) {
      EXPECT_EQ(
          MPI_Get(&got[static_cast<std::size_t>(from)], 1, MPI_INT, from, exposed.rank, 1, MPI_INT, exposed.window),
          MPI_SUCCESS);
    }
    EXPECT_EQ(MPI_Win_fence(MPI_MODE_NOSUCCEED, exposed.window), MPI_SUCCESS);
    for (int from = 0; from < exposed.size; ++from)
      EXPECT_EQ(got[static_cast<std::size_t>(from)], 100 * exposed.rank + from);
  });
}

TEST(Windows, LocksKeepRanksApart) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<std::int64_t> exposed(comm, 2);
    constexpr int rounds = 50;
    for (int i = 0; i < rounds; ++i) {  // read, then write: only a lock makes one step of them
      EXPECT_EQ(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, exposed.window), MPI_SUCCESS);
      std::int64_t value = -1;
      EXPECT_EQ(MPI_Get(&value, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(MPI_Win_flush(0, exposed.window), MPI_SUCCESS);
      ++value;
      EXPECT_EQ(MPI_Put(&value, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(MPI_Win_unlock(0, exposed.window), MPI_SUCCESS);
    }
    MPI_Barrier(comm);
    if (exposed.rank == 0) {
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, exposed.window);
      EXPECT_EQ(exposed.memory[1], std::int64_t{rounds} * exposed.size);
      MPI_Win_unlock(0, exposed.window);
    }
    MPI_Barrier(comm);
  });
}

/// Each rank adds to the same element of rank 0, again and again.
template <typename Number>
void add_together(MPI_Datatype type) {
  with_endpoints([type](MPI_Comm comm) {
    Exposed<Number> exposed(comm, 3);
    constexpr int rounds = 100;
    EXPECT_EQ(MPI_Win_lock_all(0, exposed.window), MPI_SUCCESS);
    std::vector<Number> before(rounds);
    const Number one = 1;
    for (int i = 0; i < rounds; ++i) {
      EXPECT_EQ(MPI_Fetch_and_op(&one, &before[static_cast<std::size_t>(i)], type, 0, 2, MPI_SUM, exposed.window),
                MPI_SUCCESS);
      EXPECT_EQ(MPI_Accumulate(&one, 1, type, 0, 1, 1, type, MPI_SUM, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(MPI_Win_flush(0, exposed.window), MPI_SUCCESS);
    }
    EXPECT_EQ(MPI_Win_unlock_all(exposed.window), MPI_SUCCESS);
    EXPECT_TRUE(std::is_sorted(before.begin(), before.end()));
    MPI_Barrier(comm);
    if (exposed.rank == 0) {
      MPI_Win_sync(exposed.window);
      const auto sum = static_cast<Number>(static_cast<Number>(rounds) * static_cast<Number>(exposed.size));
      EXPECT_EQ(exposed.memory[1], sum);
      EXPECT_EQ(exposed.memory[2], sum);
    }
    MPI_Barrier(comm);
  });
}

TEST(Windows, AddIntegersAtOnce) { add_together<int>(MPI_INT); }
TEST(Windows, AddLongIntegersAtOnce) { add_together<std::int64_t>(MPI_INT64_T); }
TEST(Windows, AddNumbersAtOnce) { add_together<double>(MPI_DOUBLE); }
TEST(Windows, AddLongNumbersAtOnce) { add_together<long double>(MPI_LONG_DOUBLE); }

TEST(Windows, ComparesAndSwaps) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, 1);
    EXPECT_EQ(MPI_Win_lock_all(MPI_MODE_NOCHECK, exposed.window), MPI_SUCCESS);
    for (int added = 0; added < 20;) {
      int value = 0;
      EXPECT_EQ(MPI_Fetch_and_op(nullptr, &value, MPI_INT, 0, 0, MPI_NO_OP, exposed.window), MPI_SUCCESS);
      MPI_Win_flush(0, exposed.window);
      const int next = value + 1;
      int was = -1;
      EXPECT_EQ(MPI_Compare_and_swap(&next, &value, &was, MPI_INT, 0, 0, exposed.window), MPI_SUCCESS);
      MPI_Win_flush(0, exposed.window);
      if (was == value) ++added;
    }
    MPI_Win_unlock_all(exposed.window);
    MPI_Barrier(comm);
    if (exposed.rank == 0) EXPECT_EQ(exposed.memory[0], 20 * exposed.size);
    MPI_Barrier(comm);
  });
}

TEST(Windows, ShowWhatOthersDoToWhoLooksAgainAndAgain) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<std::int64_t> exposed(comm, 1);
    MPI_Win_lock_all(0, exposed.window);
    const std::int64_t one = 1;
    for (std::int64_t turn = 0; turn < 20 * exposed.size; ++turn) {  // each in its turn, at its neighbour's
      const int from = exposed.rank;
      const int to = (exposed.rank + 1) % exposed.size;
      std::int64_t now = -1;
      while (now < (turn % exposed.size == from ? turn / exposed.size : -1)) {
        MPI_Fetch_and_op(nullptr, &now, MPI_INT64_T, from, 0, MPI_NO_OP, exposed.window);
        MPI_Win_flush(from, exposed.window);
      }
      if (turn % exposed.size == from) {
        MPI_Accumulate(&one, 1, MPI_INT64_T, to, 0, 1, MPI_INT64_T, MPI_SUM, exposed.window);
        MPI_Win_flush(to, exposed.window);
      }
    }
    MPI_Barrier(comm);
    MPI_Win_unlock_all(exposed.window);
    EXPECT_EQ(exposed.memory[0], 20);
    MPI_Barrier(comm);
  });
}

/// Of words that the processor's atomics do not take, and of those beside them.
TEST(Windows, AddWhereverElementsLie) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<char> exposed(comm, 64);
    MPI_Win_lock_all(0, exposed.window);
    const std::int64_t one = 1;
    std::int64_t before = 0;
    constexpr int rounds = 50;
    for (int i = 0; i < rounds; ++i) {
      for (const MPI_Aint at : {0, 11, 24, 33})
        EXPECT_EQ(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, at, MPI_SUM, exposed.window), MPI_SUCCESS);
    }
    MPI_Win_unlock_all(exposed.window);
    MPI_Barrier(comm);
    if (exposed.rank == 0) {
      for (const std::size_t at : {0, 11, 24, 33}) {
        std::int64_t sum = 0;
        std::memcpy(&sum, exposed.memory.data() + at, sizeof sum);
        EXPECT_EQ(sum, std::int64_t{rounds} * exposed.size) << at;
      }
    }
    MPI_Barrier(comm);
  });
}

TEST(Windows, PostsAndStarts) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, static_cast<std::size_t>(size_of(comm)), -1);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Win_get_group(exposed.window, &all);
    for (int round = 0; round < 5; ++round) {
      const int next = (exposed.rank + 1) % exposed.size;
      const int last = (exposed.rank + exposed.size - 1) % exposed.size;
      MPI_Group origin = MPI_GROUP_NULL;
      MPI_Group target = MPI_GROUP_NULL;
      MPI_Group_incl(all, 1, &last, &origin);
      MPI_Group_incl(all, 1, &next, &target);
      EXPECT_EQ(MPI_Win_post(origin, 0, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(MPI_Win_start(target, 0, exposed.window), MPI_SUCCESS);
      const int value = 10 * exposed.rank + round;
      EXPECT_EQ(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(MPI_Win_complete(exposed.window), MPI_SUCCESS);
      if (round % 2 == 0) {
        EXPECT_EQ(MPI_Win_wait(exposed.window), MPI_SUCCESS);
      } else {
        for (int flag = 0; flag == 0;) EXPECT_EQ(MPI_Win_test(exposed.window, &flag), MPI_SUCCESS);
      }
      EXPECT_EQ(exposed.memory[0], 10 * last + round);
      MPI_Group_free(&origin);
      MPI_Group_free(&target);
    }
    MPI_Group_free(&all);
  });
}

TEST(Windows, MoveDatatypesOfBothSides) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, 12, 0);
    MPI_Datatype every_second = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    const int next = (exposed.rank + 1) % exposed.size;
    const std::array<int, 6> values{1, -1, 2, -1, 3, -1};
    MPI_Win_fence(0, exposed.window);
    EXPECT_EQ(MPI_Put(values.data(), 1, every_second, next, 1, 3, MPI_INT, exposed.window), MPI_SUCCESS);
    EXPECT_EQ(MPI_Put(values.data(), 3, MPI_INT, next, 5, 1, every_second, exposed.window), MPI_SUCCESS);
    MPI_Win_fence(0, exposed.window);
    EXPECT_EQ(exposed.memory, (std::vector<int>{0, 1, 2, 3, 0, 1, 0, -1, 0, 2, 0, 0}));
    MPI_Win_fence(0, exposed.window);
    EXPECT_EQ(MPI_Accumulate(values.data(), 1, every_second, next, 5, 1, every_second, MPI_SUM, exposed.window),
              MPI_SUCCESS);
    std::array<int, 6> got{};
    got.fill(7);
    EXPECT_EQ(MPI_Get(got.data(), 1, every_second, next, 1, 3, MPI_INT, exposed.window), MPI_SUCCESS);
    MPI_Win_fence(0, exposed.window);
    EXPECT_EQ(exposed.memory, (std::vector<int>{0, 1, 2, 3, 0, 2, 0, 1, 0, 5, 0, 0}));
    EXPECT_EQ(got, (std::array<int, 6>{1, 7, 2, 7, 3, 7}));
    MPI_Type_free(&every_second);
  });
}

TEST(Windows, FetchesWhatWasThere) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<double> exposed(comm, 4, 1.0);
    const std::array<double, 4> two{2.0, 2.0, 2.0, 2.0};
    const int next = (exposed.rank + 1) % exposed.size;
    std::array<double, 4> was{};
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, exposed.window);
    EXPECT_EQ(MPI_Get_accumulate(two.data(), 4, MPI_DOUBLE, was.data(), 4, MPI_DOUBLE, next, 0, 4, MPI_DOUBLE, MPI_PROD,
                                 exposed.window),
              MPI_SUCCESS);
    EXPECT_EQ(MPI_Win_flush_local(next, exposed.window), MPI_SUCCESS);
    EXPECT_EQ(was, (std::array<double, 4>{1.0, 1.0, 1.0, 1.0}));
    EXPECT_EQ(MPI_Get_accumulate(nullptr, 0, MPI_DOUBLE, was.data(), 4, MPI_DOUBLE, next, 0, 4, MPI_DOUBLE, MPI_NO_OP,
                                 exposed.window),
              MPI_SUCCESS);
    MPI_Win_unlock(next, exposed.window);
    EXPECT_EQ(was, two);
  });
}

TEST(Windows, FindTheLeastPair) {
  struct Pair {
    double value;
    int index;
  };
  with_endpoints([](MPI_Comm comm) {
    Exposed<Pair> exposed(comm, 1, {1000.0, -1});
    MPI_Win_fence(0, exposed.window);
    const Pair mine{static_cast<double>(100 - exposed.rank), exposed.rank};
    EXPECT_EQ(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MINLOC, exposed.window),
              MPI_SUCCESS);
    MPI_Win_fence(0, exposed.window);
    if (exposed.rank == 0) {
      EXPECT_EQ(exposed.memory[0].value, 100.0 - (exposed.size - 1));
      EXPECT_EQ(exposed.memory[0].index, exposed.size - 1);
    }
    MPI_Win_fence(0, exposed.window);
  });
}

TEST(Windows, RequestsComplete) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, 4, 5);
    const int next = (exposed.rank + 1) % exposed.size;
    const int one = 1;
    int got = 0;
    int was = 0;
    std::array<MPI_Request, 4> requests{};
    MPI_Win_lock_all(0, exposed.window);
    EXPECT_EQ(MPI_Rput(&one, 1, MPI_INT, next, 0, 1, MPI_INT, exposed.window, requests.data()), MPI_SUCCESS);
    EXPECT_EQ(MPI_Rget(&got, 1, MPI_INT, next, 1, 1, MPI_INT, exposed.window, &requests[1]), MPI_SUCCESS);
    EXPECT_EQ(MPI_Raccumulate(&one, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_SUM, exposed.window, &requests[2]),
              MPI_SUCCESS);
    EXPECT_EQ(MPI_Rget_accumulate(&one, 1, MPI_INT, &was, 1, MPI_INT, next, 3, 1, MPI_INT, MPI_REPLACE, exposed.window,
                                  &requests[3]),
              MPI_SUCCESS);
    EXPECT_EQ(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(got, 5);
    EXPECT_EQ(was, 5);
    MPI_Win_unlock_all(exposed.window);
    MPI_Barrier(comm);
    MPI_Win_sync(exposed.window);
    EXPECT_EQ(exposed.memory, (std::vector<int>{1, 5, 6, 1}));
    MPI_Barrier(comm);
  });
}

}  // namespace
