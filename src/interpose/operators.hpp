// SPDX-License-Identifier: BSD-3-Clause
// The program's reduction operators. Where endpoints combine, they are called here: an MPI may hold its one lock while
// it calls them, and then waits for ever for an operator that needs what a thread holds which waits for that lock.
// Python's interpreter is such a thing.
#pragma once

#include <mpi.h>

namespace raddle::interpose::operators {

/// As MPI_Op_create and MPI_Op_create_c are given them.
template <typename Count>
using Function = void(void* in, void* inout, Count* length, MPI_Datatype* type);

void created(MPI_Op op, Function<int>* function);
void created(MPI_Op op, Function<MPI_Count>* function);
void freed(MPI_Op op);

/// Does what MPI_Reduce_local does. @returns false, and does nothing, unless there are endpoints and `op` is known
[[nodiscard]] bool called(const void* in, void* inout, MPI_Count count, MPI_Datatype type, MPI_Op op);

}  // namespace raddle::interpose::operators
