// SPDX-License-Identifier: BSD-3-Clause
// Calls of the MPI, whose errors are thrown.
#pragma once

#include <mpi.h>

#include "endpoints/errors.hpp"

namespace raddle::sparse {

using platform::check;

/// Whether a request is complete; then there is none any more. Of none it asks nothing: MPIs take such a call for an
/// occasion to yield. @throws endpoints::Failure
inline bool completed(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  int flag = 0;
  check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  return flag != 0;
}

}  // namespace raddle::sparse
