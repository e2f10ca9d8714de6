// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>

#include "sparse/board.hpp"

namespace raddle::sparse {

/// Collective over `node`, the ranks of `comm` that share this rank's node: the board of those that are threads of this
/// rank's process, if there is another.
[[nodiscard]] std::shared_ptr<Board> board_of_process(MPI_Comm node, int rank);

}  // namespace raddle::sparse
