// SPDX-License-Identifier: BSD-3-Clause
// A library in which the second message of a source overtakes its first.
#include "doctored.hpp"

RADDLE_FAULTY_EXCHANGE(for (std::size_t i = 1; i < all.size(); ++i) {
  if (all[i].rank != all[i - 1].rank) continue;
  std::swap(all[i], all[i - 1]);
  break;
})
