// SPDX-License-Identifier: BSD-3-Clause
// Ranks in a Cartesian grid (MPI-4.1 section 8.5): in row-major order, as MPI numbers them. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/topology/neighbours.hpp"

namespace raddle::endpoints {

class Grid {
 public:
  struct Dimension {
    int length;  ///< at least 1
    bool periodic;
  };
  /// No dimensions: one rank. @pre ranks_in() of their lengths is a rank's number
  explicit Grid(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {}

  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return dimensions_; }
  [[nodiscard]] int size() const;

  [[nodiscard]] std::vector<int> coordinates_of(int rank) const;
  /// @returns nobody for coordinates outside of a dimension that is not periodic
  [[nodiscard]] int rank_of(std::span<const int> coordinates) const;
  /// The rank so many steps along a dimension, or nobody.
  [[nodiscard]] int moved(int rank, std::size_t dimension, std::int64_t steps) const;
  /// One step down and one up in each dimension.
  [[nodiscard]] Neighbours neighbours_of(int rank) const;

  /// Parts that keep some of the dimensions.
  [[nodiscard]] Grid part(std::span<const bool> kept) const;
  struct Share {
    int part;  ///< which one
    int rank;  ///< in it
  };
  [[nodiscard]] Share share_of(int rank, std::span<const bool> kept) const;

 private:
  std::vector<Dimension> dimensions_;
};

/// The number of ranks in a grid, which may be too large for one. @pre all lengths are at least 1
[[nodiscard]] std::int64_t ranks_in(std::span<const int> lengths);

}  // namespace raddle::endpoints
