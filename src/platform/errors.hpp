// SPDX-License-Identifier: BSD-3-Clause
// Error codes: those that the MPI returns, and those that Raddle adds, so that MPI_Error_string explains them.
#pragma once

#include <mpi.h>

#include <mutex>
#include <string>
#include <string_view>

namespace raddle::platform {

/// Thrown inside Raddle only; `code` is an MPI error code.
struct Failure {
  explicit Failure(int error, bool has_been_raised = false) : code(error), raised(has_been_raised) {}
  int code;
  bool raised;          ///< by the MPI, on the communicator of the program
  bool of_all = false;  ///< all who take part have it, and know it: nobody waits
};

/// The same where all who take part have agreed that they fail.
inline Failure failure_of_all(int code) {
  Failure failure(code);
  failure.of_all = true;
  return failure;
}

/// @throws Failure unless the call that has returned this code was successful
inline void check(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw Failure(code);
}

/// A code of an MPI error class with a text of its own; the same for the same text. @pre MPI is initialised
int error_with(int error_class, std::string_view text);

/// A class of Raddle's own. @returns MPI_ERR_OTHER where the MPI has no more to give. @pre MPI is initialised
int add_error_class(const char* text);

/// That of the exception that is being handled: want of memory, bad settings and hints, Raddle's own. What is none of
/// the standard library's goes on: it is the program's.
int code_of_caught();

/// The class of a code. What is none of the MPI's, a function of the program may have returned it, is MPI_ERR_OTHER.
int class_of(int code);

// The MPI's texts of error codes, to which Raddle adds.

/// Who adds codes, classes or texts to the MPI's, or reads a text, holds it: MPICH and Intel MPI crash where one thread
/// adds and another reads. Raddle adds when something fails, of which the program knows nothing.
std::recursive_mutex& table_of_errors();

/// What MPI_Error_string says of a code; "" where it says nothing
std::string text_of(int code);

}  // namespace raddle::platform
