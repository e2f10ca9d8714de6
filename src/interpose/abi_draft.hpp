// SPDX-License-Identifier: BSD-3-Clause
// Libraries whose MPI-5 ABI is that of a draft (Intel MPI up to 2021.18.1). In it some constants have each other's
// values: MPI_ERRORS_RETURN and MPI_ERRORS_ABORT, those of MPI_File_seek, and three attributes of MPI_COMM_WORLD. A
// program built for the standard would have one for another, so wrappers made for that ABI translate them.
#pragma once

#include <mpi.h>

namespace raddle::interpose::abi_draft {

/// Asks the library which one it has. To be called when MPI has begun; before, and in builds for another ABI, nothing
/// is translated.
void look();

#ifdef MPI_ABI_VERSION  // others may know nothing of some of these constants
// From the standard's value to the library's; what has no other value stays.

MPI_Errhandler errhandler(MPI_Errhandler standard);
int attribute(int standard);
int whence(int standard);

/// From the library's value to the standard's, in place. The two are exchanged, so it is the same both ways.
inline void errhandler_back(MPI_Errhandler* errhandlers) {
  if (errhandlers != nullptr) *errhandlers = errhandler(*errhandlers);
}
#endif

}  // namespace raddle::interpose::abi_draft
