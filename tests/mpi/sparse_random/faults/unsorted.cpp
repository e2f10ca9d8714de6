// SPDX-License-Identifier: BSD-3-Clause
// A library that sorts by source, but the wrong way round.
#include "doctored.hpp"

RADDLE_FAULTY_EXCHANGE(std::stable_sort(all.begin(), all.end(),
                                        [](const Doctored& a, const Doctored& b) { return a.rank > b.rank; });)
