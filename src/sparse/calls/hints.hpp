// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "sparse/exchange.hpp"

namespace raddle::sparse {

/// The settings, and what info keys say that stand above them. @throws endpoints::Failure
[[nodiscard]] Options options_of(MPI_Info info);

}  // namespace raddle::sparse
