// SPDX-License-Identifier: BSD-3-Clause
// Errors of endpoints, registered with the MPI so that MPI_Error_string explains them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
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
/// The program sets the error handler of a communicator, which may decide about that place. @returns the code
int handler_set(MPI_Comm comm, int code);

/// Raises what is about no communicator where there is no MPI_COMM_SELF: before MPI_Init, after MPI_Finalize, and in a
/// program that has sessions only. The initial error handler hears of it, which ends the job (MPI-4.1 sections 9.3 and
/// 11.8.4).
int raise_without_world(int code);

/// Raises through the error handler of `comm`, or of without_communicator() for MPI_COMM_NULL.
/// @returns the code, where the handler returns
int raise(MPI_Comm comm, int code);
/// Raises through the error handler of a window of the MPI's. A name of its own: with some MPIs both handles are int.
int raise_on_window(MPI_Win window, int code);
/// The same of a file; that of MPI_FILE_NULL hears of files that cannot be opened (MPI-4.1 section 14.7).
int raise_on_file(MPI_File file, int code);
/// Raises by `call`, which calls the error handler that `find` finds. @returns the code, where the handler returns
int raise_by(const std::function<int(MPI_Errhandler*)>& find, const std::function<int()>& call, int code);
/// Whether the MPI may have raised an error that it has returned where `find` finds the error handler. Some raise
/// errors of calls with a communicator or a window elsewhere, such as those of an info or an error handler that is
/// null.
/// @param code  that a handler of the program's has heard, if it has; MPI_SUCCESS: that is not known
bool may_be_raised(const std::function<int(MPI_Errhandler*)>& find, int code = MPI_SUCCESS);
/// Raises on a communicator, unless that has been done.
inline int raise(MPI_Comm comm, const Failure& failure) {
  return failure.raised ? failure.code : raise(comm, failure.code);
}

/// What most handles of an endpoint have behind them.
struct Object {
  MPI_Comm comm = MPI_COMM_NULL;  ///< the endpoint's communicator: errors are raised there; none: of a group
};

// What error handlers of the program have heard in a thread. Some MPIs return MPI_SUCCESS from a call that has failed
// if the handler of the program returns: then only this tells.

struct HeardErrors {
  std::uint64_t errors = 0;  ///< so many calls of a handler have returned
  int last = MPI_SUCCESS;    ///< the code of the last one
};

/// Of the calling thread. What is called back by the MPI, such as a copy function, keeps its own errors to itself.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local HeardErrors last_heard;

/// One call of the MPI's, looked at from outside.
class Outcome {
 public:
  /// @returns what the call has returned, or else the error that the handler has heard
  [[nodiscard]] int of(int code) const {
    return code == MPI_SUCCESS && last_heard.errors != before_ ? last_heard.last : code;
  }

 private:
  std::uint64_t before_ = last_heard.errors;
};

}  // namespace raddle::endpoints
