// SPDX-License-Identifier: BSD-3-Clause
// Which messages there may be between whom. By whatever algorithm: sparse.cmake runs this with each.
#include <gtest/gtest.h>
#include <mpi.h>

#include <numeric>

#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

class SparseMessages : public Sparse {};

TEST_P(SparseMessages, GoToWhomeverASenderLikes) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 100; ++round) {
      SCOPED_TRACE(round);
      expect_exchange(place, some(place.size, round));
    }
  });
}

TEST_P(SparseMessages, MayBeNone) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 20; ++round) {
      Received in;
      in.messages.count = 5;
      // There is nothing to point to.
      EXPECT_EQ(Raddle_Sparse_exchange(nullptr, 0, nullptr, nullptr, MPI_INT, MPI_INT, MPI_INFO_NULL, place.comm,
                                       &in.messages),
                MPI_SUCCESS);
      EXPECT_EQ(in.messages.count, 0);
    }
  });
}

TEST_P(SparseMessages, WithoutElementsArrive) {
  on_each_rank([](const Place& place) {
    for (int round = 0; round < 10; ++round)
      expect_exchange(place, [&place](int) { return Parcels{{place.size - 1, {}}}; });
    const Outgoing out(Parcels{{place.right, {}}});
    Received in;
    EXPECT_EQ(Raddle_Sparse_exchange(nullptr, 1, out.dests.data(), out.offsets.data(), MPI_INT, MPI_INT, MPI_INFO_NULL,
                                     place.comm, &in.messages),
              MPI_SUCCESS);
    EXPECT_EQ(in.parcels(), (Parcels{{place.left, {}}}));
    expect_exchange(place, [&place](int rank) {
      Parcels all;
      for (int i = 0; i < 6; ++i) all.push_back({(rank + i) % place.size, words(rank, i, i % 2 == 0 ? 0U : 3U)});
      return all;
    });
  });
}

TEST_P(SparseMessages, MayBeZeroThroughout) {
  on_each_rank([](const Place& place) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{100}, std::size_t{100'000}})
      expect_exchange(place, [&](int rank) {
        return Parcels{{(rank + 1) % place.size, std::vector<int>(count)}, {0, {0}}, {0, {}}};
      });
  });
}

TEST_P(SparseMessages, ToOneRankKeepTheirOrder) {
  on_each_rank([](const Place& place) {
    expect_exchange(place, [&place](int rank) {
      Parcels all;
      for (int i = 0; i < 60; ++i) {
        // Long ones must not be overtaken by short ones.
        const std::size_t count = i % 7 == 0 ? 30'000 : i % 5 == 0 ? 0 : static_cast<std::size_t>(i);
        all.push_back({i % 3 == 0 ? rank : place.size - 1, words(rank, i, count)});
      }
      return all;
    });
  });
}

TEST_P(SparseMessages, MayGoToTheirSender) {
  on_each_rank([](const Place& place) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1'000'000}})
      expect_exchange(place,
                      [&](int rank) { return Parcels{{rank, words(rank, 1, count)}, {rank, words(rank, 2, 3)}}; });
  });
}

TEST_P(SparseMessages, MayGoToNobody) {
  on_each_rank([](const Place& place) {
    expect_exchange(place, [&place](int rank) {
      return Parcels{{MPI_PROC_NULL, words(rank, 0, 5)},
                     {(rank + 1) % place.size, words(rank, 1, 7)},
                     {MPI_PROC_NULL, {}},
                     {0, words(rank, 2, 2)},
                     {MPI_PROC_NULL, words(rank, 3, 9)}};
    });
    expect_exchange(place, [](int) { return Parcels{{MPI_PROC_NULL, {1, 2, 3}}}; });
  });
}

TEST_P(SparseMessages, MayAllGoToOneRank) {
  on_each_rank([](const Place& place) {
    for (int dest = 0; dest < place.size; ++dest) {
      expect_exchange(place, [dest](int rank) { return Parcels{{dest, words(rank, dest, 50)}}; });
      expect_exchange(place, [dest](int rank) {
        return rank == dest ? Parcels{} : Parcels{{dest, words(rank, 1, 40'000)}, {dest, words(rank, 2, 10)}};
      });
    }
  });
}

TEST_P(SparseMessages, MayAllComeFromOneRank) {
  on_each_rank([](const Place& place) {
    for (int source = 0; source < place.size; ++source) {
      expect_exchange(place, [&](int rank) {
        Parcels all;
        for (int dest = place.size; rank == source && dest-- > 0;) all.push_back({dest, words(rank, dest, 60)});
        return all;
      });
    }
  });
}

TEST_P(SparseMessages, MayGoFromEverybodyToEverybody) {
  on_each_rank([](const Place& place) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{700}, std::size_t{50'000}}) {
      expect_exchange(place, [&](int rank) {
        Parcels all;
        for (int i = 0; i < place.size; ++i) all.push_back({(rank + i) % place.size, words(rank, i, count)});
        return all;
      });
    }
  });
}

TEST_P(SparseMessages, MayBeLong) {
  on_each_rank([](const Place& place) {
    expect_exchange(place, [&place](int rank) {
      return Parcels{{(rank + 1) % place.size, words(rank, 0, 1U << 20U)}, {(rank + 1) % place.size, {rank}}};
    });
  });
}

TEST_P(SparseMessages, MayBeMany) {
  on_each_rank([](const Place& place) {
    expect_exchange(place, [&place](int rank) {
      Parcels all;
      for (int i = 0; i < 5000; ++i)
        all.push_back({i % 4 == 3 ? 0 : (rank + i) % place.size, {word(rank, 0, static_cast<std::size_t>(i))}});
      return all;
    });
  });
}

/// Where the first message does not begin at the first element, and what lies behind the last is nobody's.
TEST_P(SparseMessages, MayLieAnywhereInTheBuffer) {
  on_each_rank([](const Place& place) {
    std::vector<int> data(100);
    std::iota(data.begin(), data.end(), 1000 * place.rank);
    const std::vector<int> dests{place.right, place.right};
    const std::vector<MPI_Count> offsets{40, 45, 49};
    Received in;
    EXPECT_EQ(Raddle_Sparse_exchange(data.data(), 2, dests.data(), offsets.data(), MPI_INT, MPI_INT, MPI_INFO_NULL,
                                     place.comm, &in.messages),
              MPI_SUCCESS);
    const int first = 1000 * place.left + 40;
    EXPECT_EQ(in.parcels(), (Parcels{{place.left, {first, first + 1, first + 2, first + 3, first + 4}},
                                     {place.left, {first + 5, first + 6, first + 7, first + 8}}}));
  });
}

TEST_P(SparseMessages, ComeSortedBySourceIfAsked) {
  on_each_rank([](const Place& place) {
    const Hints sorted{{"raddle_sparse_sorted", "true"}};
    const Hints unsorted{{"raddle_sparse_sorted", "false"}};
    for (int round = 0; round < 50; ++round) {
      const Pattern pattern = some(place.size, round);
      const Outgoing out(pattern(place.rank));
      Received in;
      // Ranks may differ in this.
      const bool asked = (place.rank + round) % 3 != 0;
      ASSERT_EQ(call_exchange(place, out, in, asked ? sorted : unsorted), MPI_SUCCESS);
      EXPECT_EQ(asked ? in.parcels() : by_source(in.parcels()), arriving(pattern, place.size, place.rank));
    }
  });
}

/// Nobody sorts what is received by hand: the program may write to it, and give it back in any order.
TEST_P(SparseMessages, BelongToTheProgramUntilItGivesThemBack) {
  on_each_rank([](const Place& place) {
    std::vector<Received> kept(20);
    for (int round = 0; round < 20; ++round) {
      const Outgoing out(some(place.size, round)(place.rank));
      ASSERT_EQ(call_exchange(place, out, kept[static_cast<std::size_t>(round)]), MPI_SUCCESS);
    }
    for (int round = 0; round < 20; ++round) {
      Received& in = kept[static_cast<std::size_t>(round * 7 % 20)];
      EXPECT_EQ(by_source(in.parcels()), arriving(some(place.size, round * 7 % 20), place.size, place.rank));
      const MPI_Count elements = in.messages.count == 0 ? 0 : in.messages.offsets[in.messages.count];
      std::fill_n(static_cast<int*>(in.messages.data), elements, -1);
      in.free();
    }
    Received nothing;
    nothing.free();
    nothing.free();
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseMessages, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseMessages, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
