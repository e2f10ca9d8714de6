// SPDX-License-Identifier: BSD-3-Clause
// The dictionary of MPI's own datatypes and operators: a number means the same in the process and in the proxy, where
// handles need not.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::proxy {

/// @returns -1: none of MPI's own that reductions take
std::int32_t number_of_datatype(MPI_Datatype type);
std::int32_t number_of_op(MPI_Op op);

/// @returns MPI_DATATYPE_NULL, MPI_OP_NULL: no such number
MPI_Datatype datatype_of(std::int32_t number);
MPI_Op op_of(std::int32_t number);

}  // namespace raddle::proxy
