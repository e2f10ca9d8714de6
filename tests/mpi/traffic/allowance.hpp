// SPDX-License-Identifier: BSD-3-Clause
// How long a random run may take: what it asks for, and at most TEST_SECONDS, by which `make test` stays short.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace raddle::traffic {

inline double allowed(double seconds) {
  const char* most = std::getenv("TEST_SECONDS");
  return most == nullptr ? seconds : std::min(seconds, std::strtod(most, nullptr));
}

}  // namespace raddle::traffic
