// SPDX-License-Identifier: BSD-3-Clause
// Whether one process may read another's memory, which lets an MPI copy large messages once instead of twice.
#pragma once

#include <mpi.h>

#include <string>

namespace raddle::inspect {

struct Reach {
  bool tried = false;  ///< there are two processes on this node
  std::string error;   ///< why it is not permitted; empty when it is
};

/// Rank 0 reads from the next rank on its node. Collective; only rank 0's answer holds.
Reach try_reach(MPI_Comm comm);

}  // namespace raddle::inspect
