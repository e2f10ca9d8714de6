// SPDX-License-Identifier: BSD-3-Clause
// A library that flips a bit.
#include "doctored.hpp"

namespace {
thread_local int calls = 0;
}  // namespace

RADDLE_FAULTY_EXCHANGE(if (++calls % 10 == 0) for (Doctored& one : all) if (one.elements > 0) one.bytes[0] ^= 4;)
