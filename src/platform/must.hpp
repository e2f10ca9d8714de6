// SPDX-License-Identifier: BSD-3-Clause
// What becomes of an error of a call of the MPI's that Raddle makes for itself and tells nobody of: `must`, or else
// `regardless`. The compiler refuses a call whose code is not looked at (src/interpose/check_codes.py).
#pragma once

#include <mpi.h>

#include <string_view>

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

}  // namespace raddle::platform
