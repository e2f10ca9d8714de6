// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that tests may ask for.
#pragma once

#include <cstdlib>
#include <cstring>
#include <vector>

#include "mpi/ranks.hpp"
#include "platform/sparse_algorithm.hpp"

namespace raddle::testing {

/// Whether this machine passes for one node, as it is.
inline bool on_one_node() {
  const char* const told = std::getenv("RADDLE_NODE");
  return told == nullptr || std::strcmp(told, "rank") != 0;
}

/// The names that raddle_sparse_algorithm has, without those that cannot be had here.
inline std::vector<const char*> algorithms(Ranks ranks) {
  std::vector<const char*> names{"auto"};
  const auto add = [&](const char* name, platform::SparseNeeds needs) {
    const bool absent = (needs == platform::SparseNeeds::windows && ranks == Ranks::endpoints) ||
                        (needs == platform::SparseNeeds::shared_memory && !on_one_node());
    if (!absent) names.push_back(name);
  };
#define RADDLE_SPARSE_ALGORITHM(name, needs) add(#name, platform::SparseNeeds::needs);
#include "platform/sparse_algorithms.def"
#undef RADDLE_SPARSE_ALGORITHM
  return names;
}

}  // namespace raddle::testing
