// SPDX-License-Identifier: BSD-3-Clause
// MPI errors as exceptions: the runner ends the launch and reports what the library said.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace raddle::bench {

inline void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + text);
}

}  // namespace raddle::bench
