// SPDX-License-Identifier: BSD-3-Clause
// MPI has no call that asks whether a datatype is committed; it can only be used, to see whether that is an error.
#pragma once

#include <mpi.h>

namespace raddle::endpoints {

/// Whether the MPI lets `type` be used in messages. One thread at a time.
bool committed(MPI_Datatype type);

}  // namespace raddle::endpoints
