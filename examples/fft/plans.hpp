// SPDX-License-Identifier: BSD-3-Clause
// The transforms on one part, from FFTW. Planning is for one thread at a time, executing for any number.
#pragma once

#include <fftw3.h>

#include "grid.hpp"

namespace fft {

enum class Direction { forward, inverse };

class Plans {
 public:
  explicit Plans(const Grid& grid);
  ~Plans();
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  /// Both dimensions of a plane of n1 rows of n2, in place.
  void plane(Direction direction, Complex* plane) const;
  /// The first dimension, in place: n2 transforms side by side of n0 values, each n2 cells from the one before.
  void columns(Direction direction, Complex* columns) const;

 private:
  fftw_plan planes_[2];
  fftw_plan columns_[2];
};

/// The whole array by one thread with FFTW's own three-dimensional transform: what others are compared with.
void transform_serially(const Grid& grid, Complex* whole);

}  // namespace fft
