// SPDX-License-Identifier: BSD-3-Clause
// Communicators of this process alone.
#pragma once

#include <mpi.h>

namespace raddle::endpoints {

/// What all others are made of: of the program's only this one is. The MPI has begun.
void make_own_comms();
/// One without attributes, which returns errors; MPI_COMM_NULL if the MPI has none left. Any threads may call at once.
MPI_Comm own_comm();
/// One that stays, for questions to the MPI that concern no communicator: errors are returned, which the user's own
/// communicators need not do.
MPI_Comm comm_to_ask();
/// With the error handler of another one.
MPI_Comm own_comm(MPI_Comm handler);

/// Before the MPI ends.
void forget_own_comms();

}  // namespace raddle::endpoints
