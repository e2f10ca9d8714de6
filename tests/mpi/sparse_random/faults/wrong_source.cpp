// SPDX-License-Identifier: BSD-3-Clause
// A library that takes a message for somebody else's.
#include "doctored.hpp"

namespace {
thread_local int calls = 0;
}  // namespace

RADDLE_FAULTY_EXCHANGE(if (++calls % 10 == 0 && !all.empty()) all.front().rank ^= 1;)
