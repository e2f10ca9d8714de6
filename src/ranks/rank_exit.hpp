// SPDX-License-Identifier: BSD-3-Clause
// The end of a rank: exit() and its relatives end a process, and here a thread stands for one.
#pragma once

namespace raddle::ranks {

/// The end of the calling thread's rank by exit() or a return from main: calls what its program has registered. Comes
/// back, with the status kept, if others do not wait for the rank; otherwise the job ends.
void end_rank(int status);

}  // namespace raddle::ranks
