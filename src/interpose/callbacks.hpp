// SPDX-License-Identifier: BSD-3-Clause
// What the program gives to the MPI to be called: error handlers, and functions for the attributes of communicators
// (MPI-4.1 sections 9.3.1 and 7.7.2). They are told which communicator it is about. Where a thread has adopted a rank,
// or the job has proxies, the MPI knows another one than the program does: so the MPI is given a function of Raddle's
// that names the communicator as the program does, and calls the program's.
#pragma once

#include <mpi.h>

namespace raddle::interpose::callbacks {

/// What to give to the MPI in place of an error handler.
MPI_Comm_errhandler_function* error_handler(MPI_Comm_errhandler_function* programs);

/// What to give to the MPI in place of functions for attributes and their argument.
struct Keyval {
  MPI_Comm_copy_attr_function* copy;
  MPI_Comm_delete_attr_function* remove;
  void* extra;
};
/// @param caller  where the call will return to: the functions of Fortran are called by its bindings, in a way of their
///                own, so theirs are left as they are
Keyval keyval(const Keyval& programs, const void* caller);

}  // namespace raddle::interpose::callbacks
