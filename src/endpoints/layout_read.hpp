// SPDX-License-Identifier: BSD-3-Clause
// From a datatype to its shape.
#pragma once

#include <mpi.h>

#include "endpoints/scattered_shape.hpp"

namespace raddle::endpoints {

/// Reads how `type` was made into `shape`, which is new.
/// @returns an MPI error code: MPI_ERR_TYPE with a text of its own for a constructor that is not known here
int read_shape(MPI_Datatype type, Shape& shape);

}  // namespace raddle::endpoints
