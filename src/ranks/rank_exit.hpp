// SPDX-License-Identifier: BSD-3-Clause
// The end of a rank: exit() and its relatives end a process, and here a thread stands for one.
#pragma once

#include <csetjmp>

#include "ranks/program.hpp"

namespace raddle::ranks {

/// What its end has to know of a rank.
struct Ending {
  Loaded program;
  int rank = 0;              ///< in MPI_COMM_WORLD
  int status = 0;            ///< once it has ended
  std::jmp_buf beginning{};  ///< of its thread, where exit() returns to: a process that exits unwinds nothing
};

/// The calling thread's rank; nullptr: it is none, and exit() ends the process.
inline thread_local Ending* ending = nullptr;

/// The end of the calling thread's rank by exit() or a return from main: calls what its program has registered. Comes
/// back, with the status kept, if others do not wait for the rank; otherwise the job ends.
void end_rank(int status);

}  // namespace raddle::ranks
