// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "plans.hpp"

namespace fft {
namespace {

/// Rounding errors of a level that makes DFTs of a prime p, in units of the result. Each value is a sum of p products,
/// so its error is at most (p + 4) u times the sum of absolute values, which is at most the root of p times the norm;
/// 4 u more for the twiddle factors. That is an upper bound for p = 2 as well, where Higham (Accuracy and Stability of
/// Numerical Algorithms, section 24.1) gives 6.7 u. A large prime may be done by a convolution (Rader, Bluestein):
/// three transforms of at most 4 p values.
double level(int p) {
  const double direct = std::sqrt(p) * (p + 4) + 4;
  return p < 17 ? direct : std::max(direct, 3 * std::ceil(std::log2(4.0 * p)) * level(2));
}

double levels(int n) {
  double sum = 0;
  for (int p = 2; n > 1; ++p) {
    for (; n % p == 0; n /= p) sum += level(p);
  }
  return sum;
}

}  // namespace

Array expected_spectrum(const Grid& grid) {
  Array whole = make_array(grid.cells());
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) whole[cell] = input(cell);
  transform_serially(grid, whole.get());
  return whole;
}

Difference compare_spectrum(Slab& slab, const Complex* spectrum) {
  Difference found;
  for (int i = 0; i < slab.rows.size(); ++i) {
    for (int i0 = 0; i0 < slab.grid.n0; ++i0) {
      const Complex* const own = slab.columns(i) + static_cast<std::size_t>(i0) * slab.grid.length();
      const Complex* const expected = spectrum + slab.grid.row(i0, slab.rows.begin + i) * slab.grid.length();
      for (std::size_t c = 0; c < slab.grid.length(); ++c) found.add(own[c], expected[c]);
    }
  }
  return found;
}

Difference compare_input(Slab& slab) {
  Difference found;
  const std::size_t first = slab.grid.row(slab.planes.begin, 0) * slab.grid.length();
  const std::size_t cells = static_cast<std::size_t>(slab.planes.size()) * slab.grid.rows() * slab.grid.length();
  for (std::size_t c = 0; c < cells; ++c) found.add(slab.by_plane[c], input(first + c));
  return found;
}

double error_bound(const Grid& grid) {
  constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
  return (levels(grid.n0) + levels(grid.n1) + levels(grid.n2)) * unit_roundoff;
}

bool judge(const char* what, const Difference& own, const Grid& grid, double bound) {
  const double mine[] = {own.error, own.size, own.cells};
  double all[3] = {};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double error = std::sqrt(all[0] / all[1]);
  const bool right = error <= bound && all[2] == static_cast<double>(grid.cells());  // NaN is not right
  if (rank == 0) {
    std::printf("  %s: relative error %.1e of at most %.1e, %.0f cells: %s\n", what, error, bound, all[2],
                right ? "right" : "WRONG");
  }
  return right;
}

}  // namespace fft
