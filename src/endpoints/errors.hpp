// SPDX-License-Identifier: BSD-3-Clause
// Errors of endpoints, registered with the MPI so that MPI_Error_string explains them.
#pragma once

#include <mpi.h>

#include <string_view>

namespace raddle::endpoints {

/// Thrown inside Raddle only; `code` is an MPI error code that has not been raised.
struct Failure {
  explicit Failure(int error) : code(error) {}
  int code;
};

/// The class that Raddle_Err_endpoints gives: endpoints could not be provided. @pre MPI is initialised
int endpoints_class();

/// A code of this class that says what was missing.
int endpoints_error(std::string_view what);
int no_communicators_left();

/// A code of an MPI error class with a text of its own; the same for the same text.
int error_with(int error_class, std::string_view text);

/// Raises through the error handler of `comm`. @returns the code, where the handler returns
int raise(MPI_Comm comm, int code);

}  // namespace raddle::endpoints
