// SPDX-License-Identifier: BSD-3-Clause
// MPI-4.1 sections 8.5.1, 8.5.5 to 8.5.8: Cartesian topologies.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::error_with;
using endpoints::Grid;
using endpoints::Topology;

/// @returns an MPI error code: whether a grid of these lengths can be made of the endpoint's communicator
int check_grid(const Endpoint& endpoint, int count, const int* lengths, const int* periodic) {
  if (count < 0) return MPI_ERR_DIMS;
  if (!are_there(lengths, count) || !are_there(periodic, count)) return MPI_ERR_ARG;
  if (std::ranges::any_of(several(lengths, count), [](int length) { return length < 1; })) return MPI_ERR_DIMS;
  if (endpoints::ranks_in(several(lengths, count)) > endpoint.size())
    return error_with(MPI_ERR_ARG, "Raddle: the grid has more ranks than the communicator");
  return MPI_SUCCESS;
}

/// @pre check_grid()
Grid grid_of(int count, const int* lengths, const int* periodic) {
  std::vector<Grid::Dimension> dimensions;
  for (int d = 0; d < count; ++d) dimensions.push_back({lengths[d], periodic[d] != 0});
  return Grid(std::move(dimensions));
}

/// The endpoint's part in making this grid of the first ranks.
void take_part(Newcomer& newcomer, const Endpoint& endpoint, Grid&& grid) {
  std::vector<int> all{MPI_CART};
  for (const Grid::Dimension& dimension : grid.dimensions())
    all.insert(all.end(), {dimension.length, dimension.periodic ? 1 : 0});
  newcomer.given.digest = endpoints::digest_of(all);
  newcomer.given.colour = endpoint.rank() < grid.size() ? 0 : MPI_UNDEFINED;
  if (newcomer.given.colour == MPI_UNDEFINED) return;
  newcomer.topology = std::make_shared<const Topology>(std::move(grid), endpoint.rank());
  bring_handle(newcomer, endpoint);
}

}  // namespace

int Cart_create(Endpoint& endpoint, int count, const int* lengths, const int* periodic, int, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_alike};
  say(newcomer, check_grid(endpoint, count, lengths, periodic));
  if (newcomer.code == MPI_SUCCESS) take_part(newcomer, endpoint, grid_of(count, lengths, periodic));
  return derive(endpoint, "MPI_Cart_create", newcomer, made);
}

int Cart_sub(Endpoint& endpoint, const int* kept, MPI_Comm* made) {
  Newcomer newcomer{.births = endpoints::of_alike};
  const auto& topology = endpoint.topology();
  const Grid* const grid = topology ? topology->as<Grid>() : nullptr;
  const std::size_t count = grid == nullptr ? 0 : grid->dimensions().size();
  if (grid == nullptr) {
    say(newcomer, MPI_ERR_TOPOLOGY);
  } else if (count > 0 && kept == nullptr) {
    say(newcomer, MPI_ERR_ARG);
  } else {
    // As numbers for the digest, and as what the grid takes: std::vector<bool> is no array.
    std::vector<int> numbers{MPI_CART};
    const auto flags = std::make_unique<bool[]>(count);
    for (std::size_t d = 0; d < count; ++d) {
      flags[d] = kept[d] != 0;
      numbers.push_back(flags[d] ? 1 : 0);
    }
    const std::span<const bool> keeps(flags.get(), count);
    const Grid::RankInPart own = grid->rank_in_part(endpoint.rank(), keeps);
    newcomer.given.digest = endpoints::digest_of(numbers);
    newcomer.given.colour = own.part;
    newcomer.given.key = own.rank;
    newcomer.topology = std::make_shared<const Topology>(grid->part(keeps), own.rank);
    bring_handle(newcomer, endpoint);
  }
  return derive(endpoint, "MPI_Cart_sub", newcomer, made);
}

int Cartdim_get(const Endpoint& endpoint, int* count) {
  return about<Grid>(endpoint, [&](const Grid& grid) {
    *count = static_cast<int>(grid.dimensions().size());
    return MPI_SUCCESS;
  });
}

int Cart_get(const Endpoint& endpoint, int room, int* lengths, int* periodic, int* coordinates) {
  return about<Grid>(endpoint, [&](const Grid& grid) {
    if (room < static_cast<int>(grid.dimensions().size())) return MPI_ERR_ARG;
    for (const Grid::Dimension& dimension : grid.dimensions()) {
      *lengths++ = dimension.length;
      *periodic++ = dimension.periodic ? 1 : 0;
    }
    std::ranges::copy(grid.coordinates_of(endpoint.rank()), coordinates);
    return MPI_SUCCESS;
  });
}

int Cart_rank(const Endpoint& endpoint, const int* coordinates, int* rank) {
  return about<Grid>(endpoint, [&](const Grid& grid) -> int {
    const int count = static_cast<int>(grid.dimensions().size());
    if (!are_there(coordinates, count)) return MPI_ERR_ARG;
    const int found = grid.rank_of(several(coordinates, count));
    if (found == endpoints::nobody)
      return error_with(MPI_ERR_ARG, "Raddle: a coordinate is outside of a dimension that is not periodic");
    *rank = found;
    return MPI_SUCCESS;
  });
}

int Cart_coords(const Endpoint& endpoint, int rank, int room, int* coordinates) {
  return about<Grid>(endpoint, [&](const Grid& grid) {
    if (!is_rank(endpoint, rank)) return MPI_ERR_RANK;
    if (room < static_cast<int>(grid.dimensions().size())) return MPI_ERR_ARG;
    std::ranges::copy(grid.coordinates_of(rank), coordinates);
    return MPI_SUCCESS;
  });
}

int Cart_shift(const Endpoint& endpoint, int dimension, int steps, int* source, int* destination) {
  return about<Grid>(endpoint, [&](const Grid& grid) {
    if (dimension < 0 || dimension >= static_cast<int>(grid.dimensions().size())) return MPI_ERR_DIMS;
    const auto d = static_cast<std::size_t>(dimension);
    *source = to_mpi(grid.moved(endpoint.rank(), d, -std::int64_t{steps}));
    *destination = to_mpi(grid.moved(endpoint.rank(), d, steps));
    return MPI_SUCCESS;
  });
}

int Cart_map(const Endpoint& endpoint, int count, const int* lengths, const int* periodic, int* rank) {
  if (const int code = check_grid(endpoint, count, lengths, periodic); code != MPI_SUCCESS)
    return endpoints::raise(endpoint.comm, code);
  *rank = endpoint.rank() < endpoints::ranks_in(several(lengths, count)) ? endpoint.rank() : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
