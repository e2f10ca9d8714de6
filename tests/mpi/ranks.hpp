// SPDX-License-Identifier: BSD-3-Clause
// What the same test bodies run on: ranks that are processes, and ranks that are endpoints.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "mpi/traffic/random.hpp"

namespace raddle::testing {

enum class Ranks { processes, endpoints };

/// Where a rank is. All of them form a ring; one that is alone is its own neighbour.
struct Place {
  explicit Place(MPI_Comm of)
      : comm(of), rank(rank_in(of)), size(size_of(of)), left((rank + size - 1) % size), right((rank + 1) % size) {}

  MPI_Comm comm;
  int rank;
  int size;
  int left;
  int right;
};

/// What a rank sends in a round.
inline int word(int rank, int round, std::size_t place) {
  return static_cast<int>(traffic::mix({static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(round), place}));
}

/// In place, where a request has the address.
inline void fill(std::vector<int>& all, int rank, int round) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = word(rank, round, i);
}

inline std::vector<int> words(int rank, int round, std::size_t count) {
  std::vector<int> all(count);
  fill(all, rank, round);
  return all;
}

}  // namespace raddle::testing
