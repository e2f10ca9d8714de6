// SPDX-License-Identifier: BSD-3-Clause
// Grids and graphs at random, as MPI must understand them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace raddle::collectives {

struct Grid {
  std::vector<int> lengths;
  std::vector<int> periodic;

  [[nodiscard]] int size() const noexcept;
};

/// Of at most `size` ranks.
/// @param spare no periodic dimension of one or two ranks, where the ranks on both sides are the same
Grid random_grid(std::uint64_t key, int size, bool spare);
Graph graph_of(const Grid& grid);
/// Edges at random, some from a rank to itself, and some of them more than once.
/// @param spare all of them once
Graph random_graph(std::uint64_t key, int size, bool spare);

int create(const Grid& grid, MPI_Comm parent, MPI_Comm* made);
int create(const Graph& graph, int rank, MPI_Comm parent, MPI_Comm* made);

}  // namespace raddle::collectives
