// SPDX-License-Identifier: BSD-3-Clause
// All algorithms do the same, and take turns on one communicator.
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

class SparseAlgorithms : public Sparse {};

std::string last_on(MPI_Comm comm) {
  const char* name = "unset";
  EXPECT_EQ(Raddle_Sparse_algorithm(comm, &name), MPI_SUCCESS);
  return name == nullptr ? "none" : name;
}

TEST_P(SparseAlgorithms, GiveTheSameMessages) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}, {"raddle_sparse_sorted", "true"}};
      for (int round = 0; round < 40; ++round) {
        const std::size_t longest = round % 10 == 9 ? 60'000 : 40;
        const Pattern pattern = some(place.size, round, longest);
        const Outgoing out(pattern(place.rank));
        Received in;
        ASSERT_EQ(call_exchange(place, out, in, hints), MPI_SUCCESS);
        ASSERT_EQ(in.parcels(), arriving(pattern, place.size, place.rank)) << "round " << round;
      }
    }
  });
}

TEST_P(SparseAlgorithms, ComeInAnyOrder) {
  on_each_rank([](const Place& place) {
    const auto& all = algorithms(GetParam());
    traffic::Random random(7);  // the same everywhere
    for (int round = 0; round < 200; ++round) {
      const char* const algorithm = random.pick(all);
      SCOPED_TRACE(::testing::Message() << "round " << round << ", " << algorithm);
      expect_exchange(place, some(place.size, round), Hints{{"raddle_sparse_algorithm", algorithm}});
    }
  });
}

TEST_P(SparseAlgorithms, SayTheirNames) {
  on_each_rank([](const Place& place) {
    EXPECT_EQ(last_on(place.comm), "none");
    for (const char* const algorithm : algorithms(GetParam())) {
      const std::string asked = algorithm;
      expect_exchange(place, some(place.size, 1), Hints{{"raddle_sparse_algorithm", algorithm}});
      const std::string told = last_on(place.comm);
      if (asked != "auto") {
        EXPECT_EQ(told, asked);
      } else {
        const auto& all = algorithms(Ranks::processes);
        EXPECT_NE(told, "auto");
        EXPECT_NE(std::find(all.begin(), all.end(), told), all.end()) << told;
      }
    }
  });
}

TEST_P(SparseAlgorithms, HaveTreesOfAnyRadix) {
  on_each_rank([](const Place& place) {
    for (const char* const radix : {"2", "3", "4", "7", "64"}) {
      SCOPED_TRACE(radix);
      const Hints hints{{"raddle_sparse_algorithm", "nary"}, {"raddle_sparse_radix", radix}};
      for (int round = 0; round < 30; ++round) expect_exchange(place, some(place.size, round), hints);
    }
  });
}

/// Who goes first in a round is another rank each time, and is about to begin the next while others have not begun
/// this.
TEST_P(SparseAlgorithms, DoNotMixRounds) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 100; ++round) {
        if (round % place.size == place.rank && round % 5 == 0) std::this_thread::yield();
        expect_exchange(
            place,
            [&](int rank) {
              const int dest = (rank + round) % place.size;
              return Parcels{{dest, {round, rank, dest}}, {(rank + 3 * round) % place.size, {round, rank}}};
            },
            hints);
      }
    }
  });
}

TEST_P(SparseAlgorithms, NeedWindowsWhereTheySaySo) {
  if (GetParam() == Ranks::processes) GTEST_SKIP() << "processes have them";
  on_each_rank([](const Place& place) {
    const Hints rsx{{"raddle_sparse_algorithm", "rsx"}};
    const Outgoing out(Parcels{{place.right, {1}}});
    Received in;
    const int code = call_exchange(place, out, in, rsx);
    EXPECT_EQ(class_of(code), MPI_ERR_UNSUPPORTED_OPERATION);
    EXPECT_NE(text_of(code).find("rsx"), std::string::npos) << text_of(code);
    Flight(place, some(place.size, 1)).wait();
    expect_exchange(place, some(place.size, 2));
  });
}

TEST_P(SparseAlgorithms, NeedOneNodeWhereTheySaySo) {
  on_each_rank([](const Place& place) {
    const Hints shared{{"raddle_sparse_algorithm", "shared"}};
    const Outgoing out(Parcels{{place.right, {1}}});
    Received in;
    const int code = call_exchange(place, out, in, shared);
    if (on_one_node() || place.size == 1) {
      EXPECT_EQ(code, MPI_SUCCESS);
    } else {
      EXPECT_EQ(class_of(code), MPI_ERR_UNSUPPORTED_OPERATION);
      EXPECT_NE(text_of(code).find("shared"), std::string::npos) << text_of(code);
    }
    Flight(place, some(place.size, 1)).wait();
    expect_exchange(place, some(place.size, 2));
  });
}

/// What finds no room on the board travels apart: large messages, many messages, and both to the same rank.
TEST_P(SparseAlgorithms, KeepTheOrderOfASourceWhateverTravelsApart) {
  on_each_rank([](const Place& place) {
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 3; ++round) {
        expect_exchange(
            place,
            [&](int rank) {
              Parcels all;
              const int next = (rank + 1) % place.size;
              for (int i = 0; i < 700; ++i) all.push_back({i % 2 == 0 ? next : rank, {round, i}});
              all.push_back({next, words(rank, round, 40'000)});
              for (int i = 0; i < 700; ++i) all.push_back({i % 3 == 0 ? next : i % place.size, {i, rank}});
              return all;
            },
            hints);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseAlgorithms, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseAlgorithms, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
