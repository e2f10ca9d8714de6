// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <array>
#include <cstddef>

// Apart from errors.cpp: programs that add no codes have this alone.
#include "platform/errors.hpp"

namespace raddle::platform {

// Destructors of the program may ask.
std::recursive_mutex& table_of_errors() {
  static auto& guard = *new std::recursive_mutex;
  return guard;
}

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  const std::lock_guard lock(table_of_errors());
  if (PMPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) return {};
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace raddle::platform
