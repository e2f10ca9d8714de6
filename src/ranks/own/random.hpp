// SPDX-License-Identifier: BSD-3-Clause
// Random numbers of the C library: random(3), rand(3), drand48(3).
#pragma once

#include <cstdlib>

#include "platform/spin_lock.hpp"

namespace raddle::ranks {

/// As in a process that has just begun.
struct Random {
  Random() { initstate_r(1, state, sizeof state, &data); }
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  platform::SpinLock guard;  ///< threads of a rank share its numbers
  random_data data{};
  char state[128]{};
  drand48_data data48{};
};

}  // namespace raddle::ranks
