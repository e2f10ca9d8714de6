// SPDX-License-Identifier: BSD-3-Clause
// Grids and graphs, against what is plain to read.
#include "endpoints/topology/topology.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "effort.hpp"

namespace raddle::endpoints {
namespace {

/// All grids of up to three dimensions with up to three ranks each, periodic or not.
std::vector<Grid> all_grids() {
  std::vector<std::vector<Grid::Dimension>> all{{}};
  for (std::size_t at = 0; at < all.size() && all[at].size() < 3; ++at) {
    for (int length = 1; length <= 3; ++length) {
      for (const bool periodic : {false, true}) {
        std::vector<Grid::Dimension> longer = all[at];
        longer.push_back({length, periodic});
        all.push_back(longer);
      }
    }
  }
  std::vector<Grid> grids;
  for (auto& dimensions : all) grids.emplace_back(std::move(dimensions));
  return grids;
}

std::size_t index(int n) { return static_cast<std::size_t>(n); }

TEST(Grid, CountsInRowMajorOrder) {
  const Grid grid({{2, false}, {3, true}});
  EXPECT_EQ(grid.size(), 6);
  EXPECT_EQ(grid.coordinates_of(5), (std::vector{1, 2}));
  EXPECT_EQ(grid.rank_of(std::array{1, 0}), 3);
  EXPECT_EQ(grid.rank_of(std::array{1, -1}), 5);
  EXPECT_EQ(grid.rank_of(std::array{0, 7}), 1);
  EXPECT_EQ(grid.rank_of(std::array{2, 0}), nobody);
  EXPECT_EQ(grid.rank_of(std::array{-1, 0}), nobody);
}

TEST(Grid, WithoutDimensionsIsOneRank) {
  const Grid grid({});
  EXPECT_EQ(grid.size(), 1);
  EXPECT_TRUE(grid.coordinates_of(0).empty());
  EXPECT_EQ(grid.rank_of({}), 0);
  EXPECT_TRUE(grid.neighbours_of(0).sources.empty());
}

TEST(Grid, FindsAllRanksByTheirCoordinates) {
  for (const Grid& grid : all_grids()) {
    for (int rank = 0; rank < grid.size(); ++rank) EXPECT_EQ(grid.rank_of(grid.coordinates_of(rank)), rank);
  }
}

TEST(Grid, MovesAnyNumberOfSteps) {
  for (const Grid& grid : all_grids()) {
    for (int rank = 0; rank < grid.size(); ++rank) {
      for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
        const auto& [length, periodic] = grid.dimensions()[d];
        for (std::int64_t steps = -7; steps <= 7; ++steps) {
          std::vector<int> model = grid.coordinates_of(rank);
          std::int64_t to = model[d] + steps;
          if (periodic) {
            while (to < 0) to += length;
            while (to >= length) to -= length;
          }
          const bool there = to >= 0 && to < length;
          model[d] = static_cast<int>(to);
          EXPECT_EQ(grid.moved(rank, d, steps), there ? grid.rank_of(model) : nobody);
        }
      }
    }
  }
  const std::int64_t far = std::numeric_limits<int>::min();
  EXPECT_EQ(Grid({{3, true}}).moved(0, 0, -far), 2);  // 2^31 = 3 * 715827882 + 2
  EXPECT_EQ(Grid({{3, true}}).moved(0, 0, far), 1);
  EXPECT_EQ(Grid({{3, false}}).moved(0, 0, far), nobody);
}

/// Each rank sends one message after the other; the first that comes from a source is for the first of its turns.
template <typename NeighboursOf>
std::vector<std::vector<std::pair<int, int>>> arrivals(int size, NeighboursOf&& neighbours_of) {
  std::map<std::pair<int, int>, std::vector<int>> sent;  // which of the sender's pieces, from and to
  for (int rank = 0; rank < size; ++rank) {
    const Neighbours all = neighbours_of(rank);
    for (std::size_t i = 0; i < all.destinations.size(); ++i) {
      if (all.destinations[i] != nobody) sent[{rank, all.destinations[i]}].push_back(static_cast<int>(i));
    }
  }
  std::vector<std::vector<std::pair<int, int>>> got(index(size));
  for (int rank = 0; rank < size; ++rank) {
    const Neighbours all = neighbours_of(rank);
    got[index(rank)].assign(all.sources.size(), {nobody, nobody});
    std::map<int, std::size_t> taken;
    for (const int place : all.turns) {
      const int source = all.sources[index(place)];
      if (source == nobody) continue;
      got[index(rank)][index(place)] = {source, sent[{source, rank}].at(taken[source]++)};
    }
    for (const auto& [source, count] : taken) EXPECT_EQ(count, (sent[{source, rank}].size()));
  }
  return got;
}

TEST(Grid, ReceivesFromBelowWhatWasSentUpwards) {
  for (const Grid& grid : all_grids()) {
    const auto got = arrivals(grid.size(), [&](int rank) { return grid.neighbours_of(rank); });
    for (int rank = 0; rank < grid.size(); ++rank) {
      for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
        const int below = grid.moved(rank, d, -1);
        const int above = grid.moved(rank, d, 1);
        const int piece = static_cast<int>(2 * d);
        EXPECT_EQ(got[index(rank)][2 * d], std::pair(below, below == nobody ? nobody : piece + 1));
        EXPECT_EQ(got[index(rank)][2 * d + 1], std::pair(above, above == nobody ? nobody : piece));
      }
    }
  }
}

TEST(Grid, IsCutIntoParts) {
  for (const Grid& grid : all_grids()) {
    const std::size_t count = grid.dimensions().size();
    for (unsigned chosen = 0; chosen < 1U << count; ++chosen) {
      const auto kept = std::make_unique<bool[]>(count);
      for (std::size_t d = 0; d < count; ++d) kept[d] = (chosen >> d & 1U) != 0;
      const std::span<const bool> keeps(kept.get(), count);
      const Grid part = grid.part(keeps);
      std::map<int, int> sizes;
      for (int rank = 0; rank < grid.size(); ++rank) {
        const auto own = grid.rank_in_part(rank, keeps);
        ++sizes[own.part];
        const std::vector<int> before = grid.coordinates_of(rank);
        std::vector<int> model;
        for (std::size_t d = 0; d < count; ++d) {
          if (kept[d]) model.push_back(before[d]);
        }
        EXPECT_EQ(part.coordinates_of(own.rank), model);
      }
      EXPECT_EQ(static_cast<int>(sizes.size()) * part.size(), grid.size());
      for (const auto& [number, size] : sizes) EXPECT_EQ(size, part.size());
    }
  }
}

TEST(Grid, MayBeTooLarge) {
  EXPECT_EQ(ranks_in({}), 1);
  EXPECT_EQ(ranks_in(std::array{2, 3, 4}), 24);
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_GT(ranks_in(std::array{most, most, most, most}), most);
}

TEST(Graph, KnowsTheEdgesOfEach) {
  const Graph graph({2, 2, 5}, {1, 2, 0, 2, 0});
  EXPECT_EQ(graph.size(), 3);
  const auto edges = [&](int rank) { return std::vector(graph.edges_of(rank).begin(), graph.edges_of(rank).end()); };
  EXPECT_EQ(edges(0), (std::vector{1, 2}));
  EXPECT_EQ(edges(1), std::vector<int>());
  EXPECT_EQ(edges(2), (std::vector{0, 2, 0}));
  EXPECT_EQ(graph.neighbours_of(2).sources, edges(2));
  EXPECT_EQ(graph.neighbours_of(2).destinations, edges(2));
}

TEST(Graph, IsCheckedBefore) {
  const std::array edges{1, 0, 2};
  EXPECT_TRUE(is_graph({}, nullptr));
  EXPECT_TRUE(is_graph(std::array{0, 0}, nullptr));
  EXPECT_TRUE(is_graph(std::array{1, 2, 3}, edges.data()));
  EXPECT_FALSE(is_graph(std::array{1, 3}, edges.data()));     // an edge to who is not there
  EXPECT_FALSE(is_graph(std::array{2, 1, 3}, edges.data()));  // an index goes down
  EXPECT_FALSE(is_graph(std::array{-1, 0}, edges.data()));
  EXPECT_FALSE(is_graph(std::array{1, 2}, nullptr));
  EXPECT_FALSE(is_graph(std::array{1, 2}, std::array{0, -1}.data()));
}

TEST(DistributedGraph, IsKnownToBothEndsOfEachEdge) {
  const auto seed = test::new_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 500; ++round) {
    const int size = 1 + static_cast<int>(random() % 5);
    const auto any = [&] { return static_cast<int>(random()) & 0xffff; };
    std::vector<std::vector<Edge>> told(index(size));
    std::multimap<std::tuple<int, int, int>, int> all;
    for (int declarer = 0; declarer < size; ++declarer) {
      std::vector<Edge> declared;
      for (int edges = any() % 6; edges > 0; --edges) declared.push_back({any() % size, any() % size, any()});
      for (const Edge& edge : declared) all.insert({{edge.from, edge.to, edge.weight}, 0});
      const Parcels parcels = parcels_of(declared, size);
      auto next = parcels.edges.begin();
      for (int to = 0; to < size; ++to) {
        const auto end = next + parcels.counts[index(to)];
        told[index(to)].insert(told[index(to)].end(), next, end);
        next = end;
      }
      EXPECT_EQ(next, parcels.edges.end());
    }
    std::vector<DistributedGraph> graphs;
    std::size_t in = 0;
    std::size_t out = 0;
    for (int rank = 0; rank < size; ++rank) {
      graphs.push_back(graph_of(rank, told[index(rank)], true));
      in += graphs.back().in.ranks.size();
      out += graphs.back().out.ranks.size();
      EXPECT_EQ(graphs.back().in.weights.size(), graphs.back().in.ranks.size());
    }
    EXPECT_EQ(in, all.size());
    EXPECT_EQ(out, all.size());
    // Of several edges between two ranks each is the same one at both ends.
    const auto got = arrivals(size, [&](int rank) { return graphs[index(rank)].neighbours(); });
    for (int rank = 0; rank < size; ++rank) {
      for (std::size_t i = 0; i < got[index(rank)].size(); ++i) {
        const auto [from, piece] = got[index(rank)][i];
        EXPECT_EQ(graphs[index(from)].out.weights[index(piece)], graphs[index(rank)].in.weights[i]);
        EXPECT_TRUE(all.contains({from, rank, graphs[index(rank)].in.weights[i]}));
      }
    }
  }
}

TEST(DistributedGraph, HasNoWeightsWhereThereAreNone) {
  const DistributedGraph graph = graph_of(0, std::vector<Edge>{{0, 0, 7}}, false);
  EXPECT_EQ(graph.in.ranks, std::vector{0});
  EXPECT_EQ(graph.out.ranks, std::vector{0});
  EXPECT_TRUE(graph.in.weights.empty());
  EXPECT_FALSE(graph.weighted);
}

TEST(Topology, IsOfOneKind) {
  const Topology grid(Grid({{2, false}}), 1);
  EXPECT_NE(grid.as<Grid>(), nullptr);
  EXPECT_EQ(grid.as<Graph>(), nullptr);
  EXPECT_EQ(grid.as<DistributedGraph>(), nullptr);
  EXPECT_EQ(grid.neighbours().sources, (std::vector{0, nobody}));
  const Topology graph(Graph({1, 1}, {1}), 0);
  EXPECT_NE(graph.as<Graph>(), nullptr);
  EXPECT_EQ(graph.neighbours().destinations, std::vector{1});
  const Topology distributed(DistributedGraph{{{3}, {}}, {{}, {}}, false});
  EXPECT_NE(distributed.as<DistributedGraph>(), nullptr);
  EXPECT_EQ(distributed.neighbours().sources, std::vector{3});
  EXPECT_TRUE(distributed.neighbours().destinations.empty());
}

}  // namespace
}  // namespace raddle::endpoints
