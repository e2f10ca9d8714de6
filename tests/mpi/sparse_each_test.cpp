// SPDX-License-Identifier: BSD-3-Clause
// Messages handed to a function: what it is given, and what happens when it fails.
#include <gtest/gtest.h>
#include <mpi.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

/// What a function has been given, and how it ends.
struct Taken {
  Parcels parcels;
  int fails_at = -1;  ///< number of the message with which it returns an error
  int throws_at = -1;
  int code = MPI_ERR_OTHER;
  std::thread::id thread = std::this_thread::get_id();
};

int take(void* context, int source, const void* data, MPI_Count count) {
  Taken& taken = *static_cast<Taken*>(context);
  EXPECT_EQ(taken.thread, std::this_thread::get_id());
  const int* const words = static_cast<const int*>(data);
  const auto number = static_cast<int>(taken.parcels.size());
  taken.parcels.push_back({source, {words, words + count}});
  if (number == taken.throws_at) throw std::runtime_error("message " + std::to_string(number));
  return number == taken.fails_at ? taken.code : MPI_SUCCESS;
}

int exchange_each(const Place& place, const Pattern& pattern, Taken& taken, MPI_Info info = MPI_INFO_NULL) {
  const Outgoing out(pattern(place.rank));
  return Raddle_Sparse_exchange_each(out.data.data(), out.count(), out.dests.data(), out.offsets.data(), MPI_INT,
                                     MPI_INT, take, &taken, info, place.comm);
}

/// So many messages for each rank, from all.
Pattern plenty(int size, int each) {
  return [=](int rank) {
    Parcels all;
    for (int i = 0; i < each; ++i) {
      for (int dest = 0; dest < size; ++dest) all.push_back({dest, words(rank, i, i % 3 == 2 ? 9000U : 5U)});
    }
    return all;
  };
}

class SparseEach : public Sparse {};

TEST_P(SparseEach, MessageIsHandedOver) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      for (int round = 0; round < 30; ++round) {
        const Pattern pattern = some(place.size, round, round % 10 == 9 ? 50'000 : 40);
        Taken taken;
        ASSERT_EQ(exchange_each(place, pattern, taken, Hints{{"raddle_sparse_algorithm", algorithm}}), MPI_SUCCESS);
        EXPECT_EQ(by_source(taken.parcels), arriving(pattern, place.size, place.rank));
      }
    }
  });
}

TEST_P(SparseEach, FunctionIsNotCalledForNothing) {
  on_each_rank([](const Place& place) {
    Taken taken;
    EXPECT_EQ(Raddle_Sparse_exchange_each(nullptr, 0, nullptr, nullptr, MPI_INT, MPI_INT, take, &taken, MPI_INFO_NULL,
                                          place.comm),
              MPI_SUCCESS);
    EXPECT_TRUE(taken.parcels.empty());
  });
}

/// One rank's function fails: that rank's call returns its error, and it is not called any more. All others do not
/// notice.
TEST_P(SparseEach, ErrorIsReturned) {
  on_each_rank([](const Place& place) {
    int error_class = 0;
    int own_code = 0;
    if (place.rank == 0) {
      MPI_Add_error_class(&error_class);
      MPI_Add_error_code(error_class, &own_code);
      MPI_Add_error_string(own_code, "no room for it");
    }
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 6; ++round) {
        const Pattern pattern = plenty(place.size, 4);
        Taken taken;
        taken.fails_at = place.rank == round % place.size ? round % 4 : -1;
        taken.code = place.rank == 0 && round % 2 == 0 ? own_code : MPI_ERR_OTHER;
        const int code = exchange_each(place, pattern, taken, hints);
        if (taken.fails_at >= 0) {
          EXPECT_EQ(code, taken.code);
          EXPECT_EQ(taken.parcels.size(), static_cast<std::size_t>(taken.fails_at) + 1);
        } else {
          EXPECT_EQ(code, MPI_SUCCESS);
          EXPECT_EQ(by_source(taken.parcels), arriving(pattern, place.size, place.rank));
        }
        expect_exchange(place, some(place.size, round), hints);
        Flight(place, some(place.size, round + 1), hints).wait();
      }
    }
  });
}

TEST_P(SparseEach, ExceptionComesOut) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 6; ++round) {
        const Pattern pattern = plenty(place.size, 4);
        Taken taken;
        taken.throws_at = round == 5 || place.rank == round % place.size ? round % 4 : -1;
        std::string thrown;
        int code = MPI_SUCCESS;
        try {
          code = exchange_each(place, pattern, taken, hints);
        } catch (const std::runtime_error& error) {
          thrown = error.what();
        }
        EXPECT_EQ(code, MPI_SUCCESS);
        if (taken.throws_at >= 0) {
          EXPECT_EQ(thrown, "message " + std::to_string(taken.throws_at));
          EXPECT_EQ(taken.parcels.size(), static_cast<std::size_t>(taken.throws_at) + 1);
        } else {
          EXPECT_EQ(thrown, "");
          EXPECT_EQ(by_source(taken.parcels), arriving(pattern, place.size, place.rank));
        }
        expect_exchange(place, some(place.size, round), hints);
      }
    }
  });
}

/// A function may use the MPI, as long as it needs no rank that is still in the exchange.
TEST_P(SparseEach, FunctionMayCallTheMpi) {
  struct Answers {
    Place place;
    std::vector<MPI_Request> requests;
    std::vector<int> out;
  };
  on_each_rank([](const Place& place) {
    const Pattern pattern = [&place](int rank) { return Parcels{{(rank + 1) % place.size, {rank, 5}}}; };
    Answers answers{place, {}, {}};
    answers.out.reserve(1);
    const Outgoing out(pattern(place.rank));
    const auto answer = [](void* context, int source, const void* data, MPI_Count) {
      Answers& all = *static_cast<Answers*>(context);
      all.out.push_back(static_cast<const int*>(data)[0] + 70);
      all.requests.push_back(MPI_REQUEST_NULL);
      return MPI_Isend(&all.out.back(), 1, MPI_INT, source, 2, all.place.comm, &all.requests.back());
    };
    EXPECT_EQ(Raddle_Sparse_exchange_each(out.data.data(), out.count(), out.dests.data(), out.offsets.data(), MPI_INT,
                                          MPI_INT, answer, &answers, MPI_INFO_NULL, place.comm),
              MPI_SUCCESS);
    int in = 0;
    MPI_Recv(&in, 1, MPI_INT, place.right, 2, place.comm, MPI_STATUS_IGNORE);
    EXPECT_EQ(in, place.rank + 70);
    MPI_Waitall(static_cast<int>(answers.requests.size()), answers.requests.data(), MPI_STATUSES_IGNORE);
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseEach, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseEach, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
