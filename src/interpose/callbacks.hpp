// SPDX-License-Identifier: BSD-3-Clause
// What the program gives to the MPI to be called: error handlers, functions for the attributes of communicators
// (MPI-4.1 sections 9.3.1 and 7.7.2), and those of generalized requests. They are told which communicator it is about.
// Where a thread has adopted a rank, or the job has proxies, the MPI knows another one than the program does: so the
// MPI is given a function of Raddle's that names the communicator as the program does, and calls the program's.
#pragma once

#include <mpi.h>

namespace raddle::interpose::callbacks {

/// What to give to the MPI in place of an error handler.
MPI_Comm_errhandler_function* error_handler(MPI_Comm_errhandler_function* programs);
/// The same of files. @param caller  as for keyval()
MPI_File_errhandler_function* file_error_handler(MPI_File_errhandler_function* programs, const void* caller);

/// What to give to the MPI in place of functions for attributes and their argument.
struct Keyval {
  MPI_Comm_copy_attr_function* copy;
  MPI_Comm_delete_attr_function* remove;
  void* extra;
};
/// @param caller  where the call will return to: the functions of Fortran are called by its bindings, in a way of their
///                own, so theirs are left as they are
Keyval keyval(const Keyval& programs, const void* caller);

/// What to give to the MPI in place of the functions of a generalized request (MPI-4.1 section 13.2) and their
/// argument.
struct Generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra;
};
/// Whichever thread they are called in is meanwhile the rank that the calling thread has adopted.
/// @param caller  as for keyval()
Generalized generalized(const Generalized& programs, const void* caller);
/// The MPI has not taken them.
void not_taken(const Generalized& mpis);

}  // namespace raddle::interpose::callbacks
