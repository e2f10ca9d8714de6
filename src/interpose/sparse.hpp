// SPDX-License-Identifier: BSD-3-Clause
// Sparse exchanges in the life of a process.
#pragma once

namespace raddle::interpose::sparse {

/// The MPI has begun, or is about to end.
void begin();
/// One step for all exchanges that are under way.
void progress_all();
void end();

}  // namespace raddle::interpose::sparse
