// SPDX-License-Identifier: BSD-3-Clause
// Errors of what is done on a window or a file, which has an error handler of its own.
#pragma once

#include "endpoints/errors.hpp"

namespace raddle::interpose::on_endpoint {

/// Does it. @param on  a Window or a File. @returns the error, raised there
template <typename Object, typename Action>
int raised(Object& on, Action&& action) {
  int code = MPI_SUCCESS;
  try {
    code = action();
  } catch (const endpoints::Failure& failure) {
    code = failure.code;
  }
  return on.raise(code);
}

}  // namespace raddle::interpose::on_endpoint
