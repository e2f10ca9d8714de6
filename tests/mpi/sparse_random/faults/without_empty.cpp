// SPDX-License-Identifier: BSD-3-Clause
// A library that loses messages without elements, as those do that look for counts above zero.
#include "doctored.hpp"

RADDLE_FAULTY_EXCHANGE(std::erase_if(all, [](const Doctored& one) { return one.elements == 0; });)
