// SPDX-License-Identifier: BSD-3-Clause
// What others count on. A call that fails before it has told anybody of itself returns its error, and may be made
// again; past that there is no way back: nobody could tell the others, who would wait for ever.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::platform {

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
