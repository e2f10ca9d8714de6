// SPDX-License-Identifier: BSD-3-Clause
// What an MPI says of its error codes.
#pragma once

#include <mpi.h>

#include <array>
#include <string>

namespace raddle::testing {

inline int class_of(int code) {
  int c = 0;
  MPI_Error_class(code, &c);
  return c;
}

inline std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return text.data();
}

}  // namespace raddle::testing
