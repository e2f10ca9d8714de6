// SPDX-License-Identifier: BSD-3-Clause
// What a process that must end at once would leave behind.
#pragma once

namespace raddle::bench {

/// Removes the names of the shared memory (/dev/shm) that this process has mapped, as its library would have done in
/// MPI_Finalize. Who has it mapped keeps it until he ends.
void unlink_shared_memory();

}  // namespace raddle::bench
