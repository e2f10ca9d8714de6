// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/lattice.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace dslash {
namespace {

int first_of(int part, int parts, int extent) { return static_cast<int>(static_cast<long>(extent) * part / parts); }

/// What a grid costs the largest of its domains: sites that it exchanges, then sites that need what comes.
using Cost = std::pair<long, long>;

Cost cost(const Site& grid, const Site& extent) {
  Site part{};
  Site inner{};
  for (int d = 0; d < dimensions; ++d) {
    part[d] = (extent[d] + grid[d] - 1) / grid[d];
    inner[d] = grid[d] > 1 ? std::max(part[d] - 2, 0) : part[d];
  }
  long faces = 0;
  for (int d = 0; d < dimensions; ++d) faces += grid[d] > 1 ? 2 * volume(part) / part[d] : 0;
  return {faces, volume(part) - volume(inner)};
}

struct Choice {
  Site grid{};
  Cost cost{std::numeric_limits<long>::max(), 0};
};

/// All ways to write `ranks` as a product, time first: of equal ones that which cuts time wins.
void try_all(int ranks, int dimension, Site grid, const Site& extent, Choice& best) {
  if (dimension < 0) {
    if (ranks == 1 && cost(grid, extent) < best.cost) best = {grid, cost(grid, extent)};
    return;
  }
  for (int parts = ranks; parts >= 1; --parts) {
    if (ranks % parts != 0 || parts > extent[dimension]) continue;
    grid[dimension] = parts;
    try_all(ranks / parts, dimension - 1, grid, extent, best);
  }
}

}  // namespace

long volume(const Site& extent) {
  long product = 1;
  for (const int each : extent) product *= each;
  return product;
}

long number_of(const Site& site, const Site& extent) {
  long number = 0;
  for (int d = dimensions - 1; d >= 0; --d) number = number * extent[d] + site[d];
  return number;
}

Site site_of(long number, const Site& extent) {
  Site site{};
  for (int d = 0; d < dimensions; ++d) {
    site[d] = static_cast<int>(number % extent[d]);
    number /= extent[d];
  }
  return site;
}

Site moved(Site site, int dimension, int distance, const Site& extent) {
  site[dimension] = (site[dimension] + distance + extent[dimension]) % extent[dimension];
  return site;
}

Site choose_grid(int ranks, const Site& extent) {
  Choice best;
  try_all(ranks, dimensions - 1, {}, extent, best);
  if (best.grid[0] == 0)
    throw std::invalid_argument("no grid of " + std::to_string(ranks) + " domains fits " + to_string(extent));
  return best.grid;
}

Domain domain_of(int rank, const Site& grid, const Lattice& lattice) {
  Domain domain{};
  const Site place = site_of(rank, grid);
  for (int d = 0; d < dimensions; ++d) {
    if (grid[d] < 1 || grid[d] > lattice.extent[d])
      throw std::invalid_argument("a grid of " + to_string(grid) + " does not fit " + to_string(lattice.extent));
    domain.origin[d] = first_of(place[d], grid[d], lattice.extent[d]);
    domain.extent[d] = first_of(place[d] + 1, grid[d], lattice.extent[d]) - domain.origin[d];
    domain.cut[d] = grid[d] > 1;
    domain.neighbour[d] = {static_cast<int>(number_of(moved(place, d, -1, grid), grid)),
                           static_cast<int>(number_of(moved(place, d, +1, grid), grid))};
  }
  return domain;
}

std::string to_string(const Site& extent) {
  std::string text;
  for (const int each : extent) text += (text.empty() ? "" : "x") + std::to_string(each);
  return text;
}

}  // namespace dslash
