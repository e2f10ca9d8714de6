// SPDX-License-Identifier: BSD-3-Clause
// Errors of endpoints, registered with the MPI so that MPI_Error_string explains them.
#pragma once

#include <mpi.h>

#include <string_view>

namespace raddle::endpoints {

/// Thrown inside Raddle only; `code` is an MPI error code.
struct Failure {
  explicit Failure(int error, bool has_been_raised = false) : code(error), raised(has_been_raised) {}
  int code;
  bool raised;  ///< by the MPI, on the communicator of the program
};

/// The class that Raddle_Err_endpoints gives: endpoints could not be provided. @pre MPI is initialised
int endpoints_class();

/// A code of this class that says what was missing.
int endpoints_error(std::string_view what);
int no_communicators_left();

/// A code of an MPI error class with a text of its own; the same for the same text.
int error_with(int error_class, std::string_view text);

/// Where the MPI raises errors of calls that are about no communicator (MPI-4.1 section 9.3; before 4.0 another place).
MPI_Comm without_communicator();

/// Raises through the error handler of `comm`. @returns the code, where the handler returns
int raise(MPI_Comm comm, int code);
/// The same, unless that has been done.
inline int raise(MPI_Comm comm, const Failure& failure) {
  return failure.raised ? failure.code : raise(comm, failure.code);
}

}  // namespace raddle::endpoints
