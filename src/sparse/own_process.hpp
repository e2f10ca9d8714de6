// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sparse/board.hpp"

namespace raddle::sparse {

/// A number that no other process has.
[[nodiscard]] std::uint64_t this_process();
/// Collective over `comm`: those of all ranks.
[[nodiscard]] std::vector<std::uint64_t> processes_in(MPI_Comm comm);

/// Collective over `node`, the ranks of `comm` that share this rank's node: the board of those that are threads of this
/// rank's process, if there is another.
[[nodiscard]] std::shared_ptr<Board> board_of_process(MPI_Comm node, int rank);

}  // namespace raddle::sparse
