// SPDX-License-Identifier: BSD-3-Clause
// Whether an operator of MPI's own combines elements of a type (MPI-4.1 section 6.9.2). Asked before a reduction
// begins: what combines them is called without a communicator, and would raise the error where nobody expects it.
#pragma once

#include <mpi.h>

namespace raddle::endpoints::collectives {

/// @returns MPI_SUCCESS, also for operators of the program, or the MPI's error code, not raised
[[nodiscard]] int check_operator(MPI_Op op, MPI_Datatype type);

}  // namespace raddle::endpoints::collectives
