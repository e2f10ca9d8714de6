// SPDX-License-Identifier: BSD-3-Clause
// Who is whose neighbour on a communicator with a topology.
#pragma once

#include <utility>
#include <vector>

namespace raddle::collectives {

constexpr int nobody = -1;

/// An edge's end: the rank there, and the number of the block that is sent or received at that end.
struct End {
  int rank;
  int block;
};

struct Graph {
  std::vector<std::vector<End>> in;   ///< of each rank: from whom, and which of the sender's blocks
  std::vector<std::vector<int>> out;  ///< of each rank: to whom

  [[nodiscard]] bool empty() const noexcept { return in.empty(); }
};

}  // namespace raddle::collectives
