// SPDX-License-Identifier: BSD-3-Clause
// A library that mixes rounds: a message comes with the next exchange now and then.
#include "doctored.hpp"

namespace {
thread_local std::vector<raddle::sparse_random::Doctored> kept;
thread_local int calls = 0;
}  // namespace

RADDLE_FAULTY_EXCHANGE(all.insert(all.end(), kept.begin(), kept.end()); kept.clear();
                       if (++calls % 20 == 0 && !all.empty()) {
                         kept.push_back(all.back());
                         all.pop_back();
                       })
