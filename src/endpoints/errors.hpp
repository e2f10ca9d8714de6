// SPDX-License-Identifier: BSD-3-Clause
// Errors of endpoints, registered with the MPI so that MPI_Error_string explains them.
#pragma once

#include <mpi.h>

#include <string_view>

#include "platform/errors.hpp"

namespace raddle::endpoints {

using platform::check;
using platform::error_with;
using platform::Failure;

/// The class that Raddle_Err_endpoints gives: endpoints could not be provided. @pre MPI is initialised
int endpoints_class();

/// A code of this class that says what was missing.
int endpoints_error(std::string_view what);
int no_communicators_left();
/// The same as the reason why the MPI has made none, unless `code` tells of another one: want of memory.
inline int no_communicators_left(int code) {
  return platform::class_of(code) == MPI_ERR_NO_MEM ? MPI_ERR_NO_MEM : no_communicators_left();
}

/// Where the MPI raises errors of calls that are about no communicator (MPI-4.1 section 9.3; before 4.0 another place).
MPI_Comm without_communicator();

/// Raises through the error handler of `comm`. @returns the code, where the handler returns
int raise(MPI_Comm comm, int code);
/// The same, unless that has been done.
inline int raise(MPI_Comm comm, const Failure& failure) {
  return failure.raised ? failure.code : raise(comm, failure.code);
}

}  // namespace raddle::endpoints
