// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that tests may ask for.
#pragma once

#include <cstdlib>
#include <cstring>
#include <vector>

#include "mpi/ranks.hpp"

namespace raddle::testing {

/// Whether this machine passes for one node, as it is.
inline bool on_one_node() {
  const char* const told = std::getenv("RADDLE_NODE");
  return told == nullptr || std::strcmp(told, "rank") != 0;
}

/// The names that raddle_sparse_algorithm has, without those that cannot be had here.
inline std::vector<const char*> algorithms(Ranks ranks) {
  std::vector<const char*> names{"alltoallv", "pex", "pcx", "nbx", "nary", "locality", "auto"};
  if (ranks == Ranks::processes) names.push_back("rsx");
  if (on_one_node()) names.push_back("shared");
  return names;
}

}  // namespace raddle::testing
