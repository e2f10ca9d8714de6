// SPDX-License-Identifier: BSD-3-Clause
// A library that delivers a message twice.
#include "doctored.hpp"

namespace {
thread_local int calls = 0;
}  // namespace

RADDLE_FAULTY_EXCHANGE(if (++calls % 10 == 0 && !all.empty()) {
  const Doctored again = all.front();
  all.insert(all.begin(), again);
})
