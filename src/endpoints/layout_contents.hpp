// SPDX-License-Identifier: BSD-3-Clause
// How a datatype was made: the arguments of its constructor, as the MPI tells them.
#pragma once

#include <mpi.h>

#include <vector>

namespace raddle::endpoints {

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

}  // namespace raddle::endpoints
