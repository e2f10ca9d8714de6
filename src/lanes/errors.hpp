// SPDX-License-Identifier: BSD-3-Clause
// Error codes of lanes, registered with MPI so that MPI_Error_string explains them.
#pragma once

#include <mpi.h>

namespace raddle::lanes {

enum class Error { no_communicators, pool_limit, unequal_counts, negative_count };

/// The class that Raddle_Err_lanes gives. @pre MPI is initialised
int lanes_class();

/// The MPI error code of `error`. @pre MPI is initialised
int error_code(Error error);

}  // namespace raddle::lanes
