// SPDX-License-Identifier: BSD-3-Clause
#include "topologies.hpp"

#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "../traffic/random.hpp"

namespace raddle::collectives {
namespace {

using traffic::Random;

std::size_t index(int n) { return static_cast<std::size_t>(n); }

/// The rank so many steps along a dimension, or nobody.
int moved(const Grid& grid, int rank, std::size_t dimension, int steps) {
  int stride = 1;
  for (std::size_t d = dimension + 1; d < grid.lengths.size(); ++d) stride *= grid.lengths[d];
  const int length = grid.lengths[dimension];
  const int at = rank / stride % length;
  int to = at + steps;
  if (to < 0 || to >= length) {
    if (grid.periodic[dimension] == 0) return nobody;
    to = (to + length) % length;
  }
  return rank + (to - at) * stride;
}

}  // namespace

int Grid::size() const noexcept { return std::accumulate(lengths.begin(), lengths.end(), 1, std::multiplies<>()); }

Grid random_grid(std::uint64_t key, int size, bool spare) {
  Random random(key);
  Grid grid;
  int left = size;
  for (std::size_t n = 1 + random.below(3); n > 0; --n) {
    grid.lengths.push_back(n == 1 ? left : 1 + static_cast<int>(random.below(index(left))));
    grid.periodic.push_back(random.chance(50) && !(spare && grid.lengths.back() < 3) ? 1 : 0);
    left /= grid.lengths.back();
  }
  return grid;
}

Graph graph_of(const Grid& grid) {
  Graph graph;
  for (int rank = 0; rank < grid.size(); ++rank) {
    std::vector<End>& in = graph.in.emplace_back();
    std::vector<int>& out = graph.out.emplace_back();
    for (std::size_t d = 0; d < grid.lengths.size(); ++d) {
      const int block = static_cast<int>(2 * d);
      // What comes from below was sent upwards.
      in.push_back({moved(grid, rank, d, -1), block + 1});
      in.push_back({moved(grid, rank, d, 1), block});
      out.push_back(moved(grid, rank, d, -1));
      out.push_back(moved(grid, rank, d, 1));
    }
  }
  return graph;
}

Graph random_graph(std::uint64_t key, int size, bool spare) {
  Random random(key);
  Graph graph{std::vector<std::vector<End>>(index(size)), std::vector<std::vector<int>>(index(size))};
  std::map<std::pair<int, int>, std::vector<int>> blocks;
  for (std::size_t edges = random.below(3 * index(size) + 1); edges > 0; --edges) {
    const int from = static_cast<int>(random.below(index(size)));
    const int to = static_cast<int>(random.below(index(size)));
    if (spare && blocks.contains({from, to})) continue;
    blocks[{from, to}].push_back(static_cast<int>(graph.out[index(from)].size()));
    graph.out[index(from)].push_back(to);
    graph.in[index(to)].push_back({from, 0});
  }
  // A receiver lists its edges in an order of its own; of several from one sender the first is the sender's first.
  for (int to = 0; to < size; ++to) {
    random.shuffle(graph.in[index(to)]);
    std::map<int, std::size_t> seen;
    for (End& end : graph.in[index(to)]) end.block = blocks[{end.rank, to}][seen[end.rank]++];
  }
  return graph;
}

int create(const Grid& grid, MPI_Comm parent, MPI_Comm* made) {
  return MPI_Cart_create(parent, static_cast<int>(grid.lengths.size()), grid.lengths.data(), grid.periodic.data(), 0,
                         made);
}

int create(const Graph& graph, int rank, MPI_Comm parent, MPI_Comm* made) {
  std::vector<int> in;
  for (const End& end : graph.in[index(rank)]) in.push_back(end.rank);
  const std::vector<int>& out = graph.out[index(rank)];
  return MPI_Dist_graph_create_adjacent(parent, static_cast<int>(in.size()), in.data(), MPI_UNWEIGHTED,
                                        static_cast<int>(out.size()), out.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                        made);
}

}  // namespace raddle::collectives
