// SPDX-License-Identifier: BSD-3-Clause
// What tests of long collectives have in common: data of which each element tells its rank.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>

#include "own_endpoints.hpp"

namespace raddle::testing::of_a_mib {

constexpr int count = 250'007;  // a MiB, and no multiple of anything

using Numbers = std::vector<int>;

inline int value(int rank, int i) { return rank * 7 + i % 1009; }

inline Numbers numbers(int rank, int elements = count) {
  Numbers made(static_cast<std::size_t>(elements));
  for (int i = 0; i < elements; ++i) made[static_cast<std::size_t>(i)] = value(rank, i);
  return made;
}

/// Of ranks 0 to last.
inline Numbers sums(int last, int elements = count) {
  Numbers made(static_cast<std::size_t>(elements), 0);
  for (int rank = 0; rank <= last; ++rank) {
    for (int i = 0; i < elements; ++i) made[static_cast<std::size_t>(i)] += value(rank, i);
  }
  return made;
}

/// Runs it on few endpoints and on more: two ranks go other ways than several.
inline void on_each(void (*something)(MPI_Comm)) {
  const bool alone = size_of(MPI_COMM_WORLD) == 1;
  for (const int endpoints_each : {alone ? 2 : 1, alone ? 3 : 1 + rank_in(MPI_COMM_WORLD) % 2}) {
    Endpoints endpoints(endpoints_each);
    ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
    each(endpoints, [&](MPI_Comm comm, int) { something(comm); });
  }
}

/// How many elements a rank has, and where they begin, if each has another number of them.
struct Parts {
  explicit Parts(int ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      counts.push_back(rank % 3 == 1 ? 0 : 40'000 + 1000 * rank);
      places.push_back(total);
      total += counts.back();
    }
  }
  Numbers counts;
  Numbers places;
  int total = 0;
};

}  // namespace raddle::testing::of_a_mib
