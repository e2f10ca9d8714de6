// SPDX-License-Identifier: BSD-3-Clause
// A process that endpoints have started (MPI-4.1 section 11.8.2): the communicator with its parents is one of
// endpoints, in which it is one.
#pragma once

#include <mpi.h>

#include <string>

namespace raddle::interpose::parent {

/// Tells a process by the environment that its parents are endpoints.
inline constexpr const char* variable = "_RADDLE_PARENT";

/// For /bin/sh: what makes a program, which is "$@", one that knows this and has libraddle before its MPI.
/// @param path  directories where the program is looked for first (the info key "path"); may be empty
std::string script(const std::string& path);

/// In such a process, when the MPI has begun: meets the parents. Collective over both groups.
void join();

/// What MPI_Comm_get_parent tells in such a process: MPI_COMM_NULL when it has been freed. @returns whether it is one
bool get(MPI_Comm* parent);

}  // namespace raddle::interpose::parent
