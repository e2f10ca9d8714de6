// SPDX-License-Identifier: BSD-3-Clause
// The MPI's own function, where Raddle's of that name would see an endpoint.
#pragma once

#include <cstring>

#include "interpose/wrapper.hpp"

namespace raddle::interpose {

/// What a wrapper would call for the handle of no endpoint: an endpoint's handle is a communicator of the MPI's.
template <typename Function>
Function* the_mpis(const char* name) {
  for (int function = 0; function < functions; ++function) {
    if (std::strcmp(names[function], name) == 0) return reinterpret_cast<Function*>(next[2 * function + 1]);
  }
  return nullptr;
}

}  // namespace raddle::interpose
