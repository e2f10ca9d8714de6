// SPDX-License-Identifier: BSD-3-Clause
// What becomes of an error of a call of the MPI's that Raddle makes for itself and tells nobody of: `must`, or else
// `regardless`. The compiler refuses a call whose code is not looked at (src/interpose/check_codes.py).
#pragma once

#include <mpi.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "platform/errors.hpp"

namespace raddle::platform {

/// Ends the job, with a message that says what could not be done.
[[noreturn, gnu::cold]] void end_job(std::string_view why) noexcept;
/// The same because a call of the MPI's has failed with this code, whose text is part of the message.
[[noreturn, gnu::cold]] void end_job(const char* call, int code) noexcept;

/// A call that Raddle cannot do without: others count on it, or what is asked for is known to be there. If it fails the
/// job ends. @param call  the function of the MPI that has returned this code
inline void must(const char* call, int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    end_job(call, code);
}

/// A call that nothing depends on, whether it has failed or not: one that gives something back, that adds words to a
/// message, or that ends the job.
inline void regardless(int) {}

// What others count on. A call that fails before it has told anybody of itself returns its error, and may be made
// again; past that there is no way back: nobody could tell the others, who would wait for ever.

/// Ends the job, because of the exception that is being handled.
[[noreturn, gnu::cold]] inline void end_relied_on(const char* call, const std::exception& error) noexcept {
  end_job(std::string(call) + " cannot go on, and others wait for it: " + error.what());
}

/// The same because of a failure, if it is want of memory that is found here alone.
[[gnu::cold]] inline void end_relied_on(const char* call, const Failure& failure) {
  if (!failure.of_all && class_of(failure.code) == MPI_ERR_NO_MEM) end_job(call, failure.code);
}

/// Does a part of `call` that others wait for. Other failures of Raddle's own go on, for the others have them as well;
/// for want of memory, or whatever else goes wrong here alone, the job ends.
template <typename Part>
[[gnu::always_inline]] inline decltype(auto) relied_on(const char* call, Part&& part) {
  try {
    return std::forward<Part>(part)();
  } catch (const Failure& failure) {
    end_relied_on(call, failure);
    throw;
  } catch (const std::exception& error) {
    end_relied_on(call, error);
  }
}

}  // namespace raddle::platform
