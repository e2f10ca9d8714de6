// SPDX-License-Identifier: BSD-3-Clause
// Graphs of endpoints, known to all ranks or to each its own edges, as a program sees them. All ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "mpi/made_communicators.hpp"

namespace {

using raddle::testing::compare;
using raddle::testing::dup;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::kind_of;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::uneven;

/// All but the last rank, which is left out: each has an edge to the first one, and the first one to all.
struct Star {
  std::vector<int> ends;
  std::vector<int> edges;
  explicit Star(int size) {
    for (int rank = 1; rank < size; ++rank) edges.push_back(rank);
    ends.push_back(size - 1);
    for (int rank = 1; rank < size; ++rank) {
      edges.push_back(0);
      ends.push_back(static_cast<int>(edges.size()));
    }
  }
};

TEST(Graphs, AreOfTheFirstRanks) {
  Endpoints endpoints(3);
  each(endpoints, [](MPI_Comm comm, int) {
    const int size = size_of(comm) - 1;
    const int rank = rank_in(comm);
    const Star star(size);
    MPI_Comm made = MPI_COMM_SELF;
    EXPECT_EQ(MPI_Graph_create(comm, size, star.ends.data(), star.edges.data(), 1, &made), MPI_SUCCESS);
    if (rank == size) {
      EXPECT_EQ(made, MPI_COMM_NULL);
      return;
    }
    MPI_Comm again = dup(made);
    MPI_Comm_free(&made);
    EXPECT_EQ(kind_of(again), MPI_GRAPH);
    EXPECT_EQ(size_of(again), size);
    EXPECT_EQ(rank_in(again), rank);
    int nodes = -1;
    int count = -1;
    EXPECT_EQ(MPI_Graphdims_get(again, &nodes, &count), MPI_SUCCESS);
    EXPECT_EQ(nodes, size);
    ASSERT_EQ(count, static_cast<int>(star.edges.size()));
    std::vector<int> ends(star.ends.size());
    std::vector<int> edges(star.edges.size());
    EXPECT_EQ(MPI_Graph_get(again, nodes, count, ends.data(), edges.data()), MPI_SUCCESS);
    EXPECT_EQ(ends, star.ends);
    EXPECT_EQ(edges, star.edges);
    for (int other = 0; other < size; ++other) {
      EXPECT_EQ(MPI_Graph_neighbors_count(again, other, &count), MPI_SUCCESS);
      EXPECT_EQ(count, other == 0 ? size - 1 : 1);
      std::vector<int> neighbours(static_cast<std::size_t>(count));
      EXPECT_EQ(MPI_Graph_neighbors(again, other, count, neighbours.data()), MPI_SUCCESS);
      for (int i = 0; i < count; ++i) EXPECT_EQ(neighbours[static_cast<std::size_t>(i)], other == 0 ? i + 1 : 0);
    }
    MPI_Comm_free(&again);
  });
}

TEST(Graphs, AreNotMadeOfNobody) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm made = MPI_COMM_SELF;
    EXPECT_EQ(MPI_Graph_create(comm, 0, nullptr, nullptr, 0, &made), MPI_SUCCESS);
    EXPECT_EQ(made, MPI_COMM_NULL);
  });
}

struct Side {
  std::vector<int> ranks;
  std::vector<int> weights;
  bool operator==(const Side&) const = default;
};

/// The neighbours of this rank, in and out; in the order of their ranks and weights.
std::pair<Side, Side> neighbours(MPI_Comm comm, bool expect_weights) {
  int in = -1;
  int out = -1;
  int weighted = -1;
  EXPECT_EQ(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted), MPI_SUCCESS);
  EXPECT_EQ(weighted, expect_weights ? 1 : 0);
  Side from{std::vector<int>(static_cast<std::size_t>(in)), std::vector<int>(static_cast<std::size_t>(in), -7)};
  Side to{std::vector<int>(static_cast<std::size_t>(out)), std::vector<int>(static_cast<std::size_t>(out), -7)};
  EXPECT_EQ(MPI_Dist_graph_neighbors(comm, in, from.ranks.data(), from.weights.data(), out, to.ranks.data(),
                                     to.weights.data()),
            MPI_SUCCESS);
  for (Side* side : {&from, &to}) {
    std::vector<std::pair<int, int>> all;
    for (std::size_t i = 0; i < side->ranks.size(); ++i) all.emplace_back(side->ranks[i], side->weights[i]);
    std::ranges::sort(all);
    for (std::size_t i = 0; i < all.size(); ++i) std::tie(side->ranks[i], side->weights[i]) = all[i];
  }
  return {from, to};
}

TEST(Graphs, AreMadeOfTheEdgesThatEachKnows) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    const int size = size_of(comm);
    const int rank = rank_in(comm);
    // To the right, and twice to itself.
    const std::array<int, 3> in{(rank + size - 1) % size, rank, rank};
    const std::array<int, 3> out{rank, rank, (rank + 1) % size};
    const std::array<int, 3> in_weights{in[0], 100, 200};
    const std::array<int, 3> out_weights{100, 200, rank};
    MPI_Comm made = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Dist_graph_create_adjacent(comm, 3, in.data(), in_weights.data(), 3, out.data(), out_weights.data(),
                                             MPI_INFO_NULL, 1, &made),
              MPI_SUCCESS);
    EXPECT_EQ(kind_of(made), MPI_DIST_GRAPH);
    EXPECT_EQ(compare(made, comm), MPI_CONGRUENT);
    MPI_Comm again = dup(made);
    MPI_Comm_free(&made);
    std::array<int, 3> ranks{};
    std::array<int, 3> weights{};
    std::array<int, 3> to{-7, -7, -7};
    // As many as there is room for, in the order that was given.
    EXPECT_EQ(MPI_Dist_graph_neighbors(again, 3, ranks.data(), weights.data(), 2, to.data(), MPI_UNWEIGHTED),
              MPI_SUCCESS);
    EXPECT_EQ(ranks, in);
    EXPECT_EQ(weights, in_weights);
    EXPECT_EQ(to, (std::array{rank, rank, -7}));
    MPI_Comm_free(&again);
  });
}

TEST(Graphs, HaveWeightsOrNone) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    const bool first = rank == 0;
    const int other = 1;
    const int weight = 5;
    MPI_Comm made = MPI_COMM_NULL;
    // Most have no edges, and say that there are weights all the same.
    int* const none = MPI_WEIGHTS_EMPTY;
    EXPECT_EQ(MPI_Dist_graph_create_adjacent(comm, rank == 1 ? 1 : 0, rank == 1 ? std::array{0}.data() : nullptr,
                                             rank == 1 ? &weight : none, first ? 1 : 0, first ? &other : nullptr,
                                             first ? &weight : none, MPI_INFO_NULL, 0, &made),
              MPI_SUCCESS);
    auto [in, out] = neighbours(made, true);
    EXPECT_EQ(in, (rank == 1 ? Side{{0}, {5}} : Side{}));
    EXPECT_EQ(out, (first ? Side{{1}, {5}} : Side{}));
    MPI_Comm_free(&made);
    EXPECT_EQ(MPI_Dist_graph_create(comm, 0, nullptr, nullptr, nullptr, none, MPI_INFO_NULL, 0, &made), MPI_SUCCESS);
    EXPECT_EQ(neighbours(made, true), std::pair(Side{}, Side{}));
    MPI_Comm_free(&made);
    EXPECT_EQ(MPI_Dist_graph_create(comm, 0, nullptr, nullptr, nullptr, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
              MPI_SUCCESS);
    EXPECT_EQ(neighbours(made, false), std::pair(Side{}, Side{}));
    MPI_Comm_free(&made);
  });
}

TEST(Graphs, AreMadeOfEdgesThatAnybodyDeclares) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    const int size = size_of(comm);
    const int rank = rank_in(comm);
    // Each declares the edges of the next one: to itself, to all, and to all once more; and one of its own.
    std::vector<int> to;
    std::vector<int> weights;
    const int next = (rank + 1) % size;
    to.push_back(next);
    weights.push_back(1000);
    for (int time = 1; time <= 2; ++time) {
      for (int other = 0; other < size; ++other) {
        to.push_back(other);
        weights.push_back(time * 100 + next * 10 + other);
      }
    }
    to.push_back(0);
    weights.push_back(rank);
    const std::array sources{next, rank};
    const std::array degrees{1 + 2 * size, 1};
    for (const bool weighted : {true, false}) {
      MPI_Comm made = MPI_COMM_NULL;
      EXPECT_EQ(MPI_Dist_graph_create(comm, 2, sources.data(), degrees.data(), to.data(),
                                      weighted ? weights.data() : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
                MPI_SUCCESS);
      EXPECT_EQ(kind_of(made), MPI_DIST_GRAPH);
      std::vector<std::pair<int, int>> in{{rank, 1000}};
      std::vector<std::pair<int, int>> out{{rank, 1000}, {0, rank}};
      for (int other = 0; other < size; ++other) {
        for (int time = 1; time <= 2; ++time) {
          in.emplace_back(other, time * 100 + other * 10 + rank);
          out.emplace_back(other, time * 100 + rank * 10 + other);
        }
        if (rank == 0) in.emplace_back(other, other);
      }
      const auto [from, onto] = neighbours(made, weighted);
      for (const auto& [model, found] : {std::pair(&in, &from), std::pair(&out, &onto)}) {
        std::ranges::sort(*model);
        Side side;
        for (const auto& [other, weight] : *model) {
          side.ranks.push_back(other);
          side.weights.push_back(weighted ? weight : -7);
        }
        EXPECT_EQ(*found, side);
      }
      MPI_Comm_free(&made);
    }
  });
}

}  // namespace
