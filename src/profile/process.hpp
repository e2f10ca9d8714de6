// SPDX-License-Identifier: BSD-3-Clause
// When recording begins and ends in a process.
#pragma once

#include <cstdint>

#include "profile/layout.hpp"

namespace raddle::profile {

/// Before MPI_Init: makes the file, if _RADDLE_PROFILE is set (raddle/profile/preload.py). Later calls change nothing.
void begin_process(int requested);
/// After it: who this process is.
void know_process();
/// The same after MPI_Session_init, where there may be no MPI_COMM_WORLD: as the launcher says.
void know_session();
/// The MPI has ended, or is about to end the job; how is `state`.
void end_process(State state);

/// Around MPI_Finalize, which threads that are ranks call as often as MPI_Init.
void before_finalize();
void finalized();

}  // namespace raddle::profile
