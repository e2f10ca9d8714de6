// SPDX-License-Identifier: BSD-3-Clause
// Calls of the MPI that Raddle cannot do without, and whose errors nobody could be told: where others already count on
// what did not happen, the job ends, and says why.
#pragma once

#include <mpi.h>

#include <string_view>

namespace raddle::platform {

/// Ends the job, with a message that says what could not be done.
[[noreturn, gnu::cold]] void end_job(std::string_view why);
/// The same because a call of the MPI's has failed with this code, whose text is part of the message.
[[noreturn, gnu::cold]] void end_job(const char* call, int code);

/// @param call  the function of the MPI that has returned this code
inline void must(const char* call, int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    end_job(call, code);
}

}  // namespace raddle::platform
