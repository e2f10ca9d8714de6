// SPDX-License-Identifier: BSD-3-Clause
// From a datatype to its shape.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "endpoints/datatypes/scattered.hpp"

namespace raddle::endpoints {

/// Reads how `type` was made into `shape`, which is new.
/// @returns an MPI error code: MPI_ERR_TYPE with a text of its own for a constructor that is not known here
int read_shape(MPI_Datatype type, Shape& shape);

// How a datatype was made: the arguments of its constructor, as the MPI tells them.

/// The call that made a datatype. Frees the datatypes it was given when it ends.
struct Contents {
  explicit Contents(MPI_Datatype type);
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
  ~Contents();

  /// Whether `type` is the MPI's own and not to be freed.
  [[nodiscard]] bool predefined() const;

  int combiner = MPI_COMBINER_NAMED;
  /// All counts, lengths and displacements, in the order of the constructor's parameters.
  std::vector<MPI_Count> numbers;
  std::vector<MPI_Datatype> types;
};

// Shapes of parts of arrays: MPI_Type_create_subarray and MPI_Type_create_darray.

/// @param numbers the arguments ndims, sizes[], subsizes[], starts[], order
/// @param element one element of the array, which takes `extent` bytes
Part subarray(Shape& shape, std::span<const MPI_Count> numbers, Part element, std::ptrdiff_t extent);

/// @param numbers the arguments size, rank, ndims, gsizes[], distribs[], dargs[], psizes[], order
Part distributed_array(Shape& shape, std::span<const MPI_Count> numbers, Part element, std::ptrdiff_t extent);

}  // namespace raddle::endpoints
