// SPDX-License-Identifier: BSD-3-Clause
// What every handle of an endpoint has behind it.
#pragma once

#include <mpi.h>

namespace raddle::endpoints {

struct Object {
  MPI_Comm comm = MPI_COMM_NULL;  ///< the endpoint's communicator: errors are raised there
};

}  // namespace raddle::endpoints
