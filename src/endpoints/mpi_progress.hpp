// SPDX-License-Identifier: BSD-3-Clause
// The MPI moves its own messages while it is called. Where a program waits on endpoints, what its partner needs first
// may be one of those: so Raddle calls the MPI meanwhile (MPI-4.1 sections 2.9 and 3.5, progress).
#pragma once

namespace raddle::endpoints::mpi_progress {

/// Lets the MPI take a step, unless another thread does: for calls that go to the MPI as well.
void step();

/// The same for calls that do not: where the thread level allows it, and now and then. Any thread.
void step_meanwhile();

/// Whether threads of Raddle's own may call the MPI.
[[nodiscard]] bool any_thread();

/// Before the MPI ends.
void end();

}  // namespace raddle::endpoints::mpi_progress
