// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "endpoints/errors.hpp"

namespace raddle::sparse {

/// @throws endpoints::Failure
inline void check(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw endpoints::Failure(code);
}

}  // namespace raddle::sparse
