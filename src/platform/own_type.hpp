// SPDX-License-Identifier: BSD-3-Clause
// A datatype that the program may free (MPI-4.1 section 5.1.9) while Raddle still needs it.
#pragma once

#include <mpi.h>

#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::platform {

/// A duplicate of a datatype, or none.
class OwnType {
 public:
  OwnType() = default;
  OwnType(const OwnType&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  ~OwnType() {
    if (type_ != MPI_DATATYPE_NULL) regardless(PMPI_Type_free(&type_));
  }

  /// @pre there is none yet @throws Failure
  void copy(MPI_Datatype type) { check(PMPI_Type_dup(type, &type_)); }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace raddle::platform
