// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "node/node_comm.hpp"
#include "sparse/board.hpp"

namespace raddle::sparse {

/// Collective over the ranks of a node: the board of those that are threads of this rank's process, if there is
/// another.
/// @param rank  this one's in the whole communicator
[[nodiscard]] std::shared_ptr<Board> board_of_process(const node::NodeComm& here, int rank);

}  // namespace raddle::sparse
