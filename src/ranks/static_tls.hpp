// SPDX-License-Identifier: BSD-3-Clause
// Room for variables of threads that a library wants at a fixed distance from the thread's pointer (static TLS). The
// loader decides how much there is when a process begins, and what is loaded later gets what is left: for one copy of a
// library mostly enough, for one of each rank not.
#pragma once

#include "ranks/libraries.hpp"

namespace raddle::ranks {

/// Begins this process anew where its loader has not enough room for `copies` of the files. Before MPI_Init, and before
/// there is another thread. In a process that was begun anew it takes away what its environment has for that.
void reserve_static_tls(Closure& files, int copies, char** command);

}  // namespace raddle::ranks
