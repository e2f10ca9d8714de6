// SPDX-License-Identifier: BSD-3-Clause
// Shapes of parts of arrays: MPI_Type_create_subarray and MPI_Type_create_darray.
#pragma once

#include <mpi.h>

#include <span>

#include "endpoints/scattered_shape.hpp"

namespace raddle::endpoints {

/// @param numbers the arguments ndims, sizes[], subsizes[], starts[], order
/// @param element one element of the array, which takes `extent` bytes
Part subarray(Shape& shape, std::span<const MPI_Count> numbers, Part element, std::ptrdiff_t extent);

/// @param numbers the arguments size, rank, ndims, gsizes[], distribs[], dargs[], psizes[], order
Part distributed_array(Shape& shape, std::span<const MPI_Count> numbers, Part element, std::ptrdiff_t extent);

}  // namespace raddle::endpoints
