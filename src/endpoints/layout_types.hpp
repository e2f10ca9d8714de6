// SPDX-License-Identifier: BSD-3-Clause
// The shapes of the datatypes that have been used in messages: made once, forgotten when the MPI forgets the datatype.
#pragma once

#include <mpi.h>

#include <memory>

#include "endpoints/scattered_shape.hpp"

namespace raddle::endpoints {

/// The shape of `type`, in `shape`, which stays while the datatype does. Any thread may ask; the first who asks for a
/// datatype calls the MPI, others do not.
/// @returns an MPI error code: MPI_ERR_TYPE for a datatype that is null or not committed
int shape_of(MPI_Datatype type, const std::shared_ptr<const Shape>*& shape);

}  // namespace raddle::endpoints
