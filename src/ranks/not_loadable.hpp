// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace raddle::ranks {

/// Why a program cannot be loaded, and how it has to be built.
class NotLoadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace raddle::ranks
