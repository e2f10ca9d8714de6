// SPDX-License-Identifier: BSD-3-Clause
// What error handlers of the program have heard in a thread. Some MPIs return MPI_SUCCESS from a call that has failed
// if the handler of the program returns: then only this tells.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::endpoints {

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
