// SPDX-License-Identifier: BSD-3-Clause
// With whom a rank exchanges data in a neighbourhood collective (MPI-4.1 section 8.6). Knows no MPI.
#pragma once

#include <vector>

namespace raddle::endpoints {

constexpr int nobody = -1;

struct Neighbours {
  // In the order of the pieces in the program's buffers; the same rank may be there more than once, and nobody.
  std::vector<int> sources;
  std::vector<int> destinations;
  /// The places in `sources`, in an order in which messages come: each rank sends in the order of its destinations.
  std::vector<int> turns;
};

}  // namespace raddle::endpoints
