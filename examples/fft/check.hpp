// SPDX-License-Identifier: BSD-3-Clause
// Whether a transform is right: against FFTW on the whole array, computed by each process for itself, so that nothing
// in the check depends on what was sent.
#pragma once

#include "array.hpp"
#include "slab.hpp"

namespace fft {

/// Sums of squares over some cells; sums of parts can be added.
struct Difference {
  double error = 0;
  double size = 0;
  double cells = 0;

  void add(Complex found, Complex expected) {
    error += std::norm(found - expected);
    size += std::norm(expected);
    cells += 1;
  }
};

/// The transform of input(), of the whole grid.
Array expected_spectrum(const Grid& grid);

Difference compare_spectrum(Slab& slab, const Complex* spectrum);
Difference compare_input(Slab& slab);

/// How far one computed transform may be from the exact one, as a fraction of it (2-norm), by its rounding errors.
double error_bound(const Grid& grid);

/// Whether the difference of all parts together is within `bound` and nothing was left out. The first process says it.
/// Collective over MPI_COMM_WORLD, one thread of each process.
bool judge(const char* what, const Difference& own, const Grid& grid, double bound);

}  // namespace fft
