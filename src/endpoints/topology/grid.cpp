// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/topology/grid.hpp"

#include <limits>

namespace raddle::endpoints {
namespace {

/// The place in a dimension, or nobody.
int place_in(const Grid::Dimension& dimension, std::int64_t place) {
  if (place >= 0 && place < dimension.length) return static_cast<int>(place);
  if (!dimension.periodic) return nobody;
  const std::int64_t rest = place % dimension.length;
  return static_cast<int>(rest < 0 ? rest + dimension.length : rest);
}

}  // namespace

std::int64_t ranks_in(std::span<const int> lengths) {
  std::int64_t ranks = 1;
  for (const int length : lengths) {
    ranks *= length;
    if (ranks > std::numeric_limits<int>::max()) break;  // and does not overflow
  }
  return ranks;
}

int Grid::size() const {
  int ranks = 1;
  for (const Dimension& dimension : dimensions_) ranks *= dimension.length;
  return ranks;
}

std::vector<int> Grid::coordinates_of(int rank) const {
  std::vector<int> coordinates(dimensions_.size());
  for (std::size_t d = dimensions_.size(); d-- > 0; rank /= dimensions_[d].length)
    coordinates[d] = rank % dimensions_[d].length;
  return coordinates;
}

int Grid::rank_of(std::span<const int> coordinates) const {
  int rank = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const int place = place_in(dimensions_[d], coordinates[d]);
    if (place == nobody) return nobody;
    rank = rank * dimensions_[d].length + place;
  }
  return rank;
}

int Grid::moved(int rank, std::size_t dimension, std::int64_t steps) const {
  std::vector<int> coordinates = coordinates_of(rank);
  const int place = place_in(dimensions_[dimension], coordinates[dimension] + steps);
  if (place == nobody) return nobody;
  coordinates[dimension] = place;
  return rank_of(coordinates);
}

Neighbours Grid::neighbours_of(int rank) const {
  Neighbours neighbours;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const int below = moved(rank, d, -1);
    const int above = moved(rank, d, 1);
    neighbours.sources.insert(neighbours.sources.end(), {below, above});
    // What another rank sends downwards first comes from above: they may be the same one.
    const int place = static_cast<int>(2 * d);
    neighbours.turns.insert(neighbours.turns.end(), {place + 1, place});
  }
  neighbours.destinations = neighbours.sources;
  return neighbours;
}

Grid Grid::part(std::span<const bool> kept) const {
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (kept[d]) dimensions.push_back(dimensions_[d]);
  }
  return Grid(std::move(dimensions));
}

Grid::Share Grid::share_of(int rank, std::span<const bool> kept) const {
  const std::vector<int> coordinates = coordinates_of(rank);
  Share share{0, 0};
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    int& number = kept[d] ? share.rank : share.part;
    number = number * dimensions_[d].length + coordinates[d];
  }
  return share;
}

}  // namespace raddle::endpoints
