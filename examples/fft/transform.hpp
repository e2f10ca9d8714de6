// SPDX-License-Identifier: BSD-3-Clause
// The distributed transform, the same in all versions: planes, transpose, columns; the inverse the other way around.
#pragma once

#include "exchange.hpp"
#include "plans.hpp"
#include "slab.hpp"

namespace fft {

/// Seconds of one thread. Communication is from its last copy to its next one: waiting for others is in it.
struct Times {
  double fft = 0;
  double copies = 0;
  double communication = 0;
};

/// A thread that works on a part: alone, or as one of an OpenMP team that shares it, of which the first communicates.
struct Worker {
  Slab& slab;
  Exchange& exchange;
  const Plans& plans;
  int index;
  int count;
  Times times;
};

/// slab.by_plane, which is used up, into slab.by_row. Called by all workers of all parts.
void forward(Worker& worker);

/// slab.by_row, which is used up, into slab.by_plane, divided by the number of cells: undoes forward().
void inverse(Worker& worker);

}  // namespace fft
