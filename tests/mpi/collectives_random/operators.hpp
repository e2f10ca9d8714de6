// SPDX-License-Identifier: BSD-3-Clause
// The handles of the operators.
#pragma once

#include <mpi.h>

#include "arithmetic.hpp"

namespace raddle::collectives {

/// Once for all threads.
void make_operators();
void free_operators();

/// @param large for those of ours: one made by MPI_Op_create_c, where there is that
MPI_Op handle_of(Op op, bool large);
const char* name_of(Op op);

}  // namespace raddle::collectives
