// SPDX-License-Identifier: BSD-3-Clause
// A lattice of four dimensions, and its decomposition into a grid of domains.
#pragma once

#include <array>
#include <string>

namespace dslash {

inline constexpr int dimensions = 4;  ///< x, y, z, t
inline constexpr int time_dimension = 3;

using Site = std::array<int, dimensions>;

/// The two ends of a dimension.
enum End { lower, upper };

/// What a run is about.
struct Lattice {
  Site extent{};
  bool antiperiodic = false;  ///< spinors change their sign where time wraps around
};

long volume(const Site& extent);

/// Number of a site among `extent`, x running fastest; and the other way around.
long number_of(const Site& site, const Site& extent);
Site site_of(long number, const Site& extent);

/// The site `distance` away, around the lattice if need be.
Site moved(Site site, int dimension, int distance, const Site& extent);

/// The part of the lattice that one rank has. Parts of a dimension differ in length by one site at most.
struct Domain {
  Site origin{};
  Site extent{};
  std::array<std::array<int, 2>, dimensions> neighbour{};  ///< ranks at both ends; the same one where it is cut in two
  std::array<bool, dimensions> cut{};  ///< a dimension that is not cut is all here, and wraps around
};

/// The grid of so many domains that has the smallest faces, of equal ones that with the largest interior.
/// @throws std::invalid_argument if the lattice has no room for them
Site choose_grid(int ranks, const Site& extent);

/// @throws std::invalid_argument if a dimension is cut into more parts than it has sites
Domain domain_of(int rank, const Site& grid, const Lattice& lattice);

/// E.g. "8x8x8x16".
std::string to_string(const Site& extent);

}  // namespace dslash
